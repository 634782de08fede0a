const PATHS = {
  add: 'M8 3v10M3 8h10',
  attach: 'M12.5 7.5l-5 5a3 3 0 01-4.2-4.2l5.4-5.4a2 2 0 012.8 2.8l-5.3 5.3a1 1 0 01-1.4-1.4l4.7-4.7',
  ask: 'M6 6a2 2 0 113 1.7c-.7.4-1 .8-1 1.6M8 12v.1M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8z',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  delete: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  down: 'M8 3v10M4 9l4 4 4-4',
  edit: 'M2.5 13.5l.7-3 7.8-7.8 2.3 2.3-7.8 7.8zM9.5 4.2l2.3 2.3',
  execute: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10h3',
  export: 'M8 10V2M5 5l3-3 3 3M3 9v4.5h10V9',
  failed: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  fetch: 'M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM2 8h12M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
  history: 'M8 4.5V8l2.5 1.5M2.2 6.2A6 6 0 118 14a6 6 0 01-5.2-3M2 3v3.3h3.3',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  move: 'M2 8h11M9.5 4.5L13 8l-3.5 3.5',
  open: 'M4 6l4 4 4-4',
  other: 'M8 2.5l5 2.8v5.4l-5 2.8-5-2.8V5.3zM8 8l5-2.7M8 8v5.5M8 8L3 5.3',
  picture: 'M2 3h12v10H2zM2.5 11l3.5-4 3 3 2-2 2.5 3M10.5 6v.1',
  place: 'M8 14s4.5-4.6 4.5-7.8a4.5 4.5 0 00-9 0C3.5 9.4 8 14 8 14zM8 7.6V7',
  plan: 'M6.5 4h7M6.5 8h7M6.5 12h7M2.5 4l.8.8L4.7 3M2.5 8l.8.8L4.7 7M2.7 12h1.6',
  read: 'M4 1.5h5l3 3v10H4zM9 1.5v3h3M6 8h4M6 11h4',
  right: 'M6 4l4 4-4 4',
  search: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.5 10.5L14 14',
  selection: 'M5.5 2.5h-3v3M10.5 2.5h3v3M5.5 13.5h-3v-3M10.5 13.5h3v-3M5.5 6.5h5M5.5 9.5h3',
  send: 'M8 13V3M4 7l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  switch_mode: 'M3 5h9M9.5 2.5L12 5 9.5 7.5M13 11H4M6.5 8.5L4 11l2.5 2.5',
  think: 'M5.8 11.5h4.4M6.3 13.8h3.4M8 2a4 4 0 00-2.3 7.3v2.2h4.6V9.3A4 4 0 008 2z',
  undo: 'M3 6h6.5a3.5 3.5 0 010 7H6M3 6l3-3M3 6l3 3',
} as const;

export type ChatIconName = keyof typeof PATHS;

/** Drawn in the colour of the text around it; the words beside it say what it means. */
export function ChatIcon({ name }: { name: ChatIconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
