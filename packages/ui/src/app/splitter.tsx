import type { Store } from './store.ts';

const [MIN, MAX, STEP] = [180, 560, 16];

/** The edge of the sidebar: dragged, or moved with the arrow keys. */
export function Splitter({ store }: { store: Store }) {
  const set = (width: number) => (store.sidebarWidth.value = Math.round(Math.min(MAX, Math.max(MIN, width))));
  const onPointerDown = (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    const from = store.sidebarWidth.value - event.clientX;
    const move = (moved: PointerEvent) => set(from + moved.clientX);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') set(store.sidebarWidth.value - STEP);
    else if (event.key === 'ArrowRight') set(store.sidebarWidth.value + STEP);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule is not something to drag
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the sidebar"
      aria-valuenow={store.sidebarWidth.value}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
