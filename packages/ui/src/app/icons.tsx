const PATHS = {
  file: 'M4 1.5h5l3 3v10H4zM9 1.5v3h3',
  folder: 'M1.5 3.5h4l1.5 2h7.5v7h-13z',
  newFile: 'M8.5 14.5H3.5v-13h5l3 3v3M8.5 1.5v3h3M12 10v5M9.5 12.5h5',
  newFolder: 'M8 12.5H1.5v-9h4l1.5 2h7.5v3M12 9.5v5M9.5 12h5',
  addFolder: 'M1.5 3.5h4l1.5 2h7.5v7h-13zM8 7v4M6 9h4',
  rename: 'M2.5 13.5l.7-3 7.8-7.8 2.3 2.3-7.8 7.8zM9.5 4.2l2.3 2.3',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M8 3v10M4 9l4 4 4-4',
  up: 'M8 13V3M4 7l4-4 4 4',
  right: 'M6 4l4 4-4 4',
  open: 'M4 6l4 4 4-4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.5 3.5L13 4.5',
} as const;

export type IconName = keyof typeof PATHS;

/** Drawn in the colour of the text around it; the button says what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
