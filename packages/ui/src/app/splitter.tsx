import type { Signal } from '@preact/signals';

const STEP = 16;

interface SplitterProps {
  readonly label: string;
  readonly width: Signal<number>;
  /** Where the column is whose edge it is. */
  readonly side: 'left' | 'right';
  readonly min: number;
  readonly max: number;
}

/** The edge of a column: dragged, or moved with the arrow keys. */
export function Splitter({ label, width, side, min, max }: SplitterProps) {
  const set = (wanted: number) => (width.value = Math.round(Math.min(max, Math.max(min, wanted))));
  const sign = side === 'left' ? 1 : -1;
  const onPointerDown = (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    const from = width.value - sign * event.clientX;
    const move = (moved: PointerEvent) => set(from + sign * moved.clientX);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') set(width.value - sign * STEP);
    else if (event.key === 'ArrowRight') set(width.value + sign * STEP);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule is not something to drag
    <div
      class={`splitter ${side}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width.value}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
