import type { ComponentChildren } from 'preact';

/** A part that scrolls by itself, so the keyboard must get at it. */
export function ScrollBox({
  label,
  class: name,
  children,
}: {
  label: string;
  class: string;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it only a mouse could scroll it
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
