/** What every server under measurement looks like to the bench, whoever wrote it. */
export interface Subject {
  readonly port: number;
  readonly tokens: { readonly http: string; readonly socket?: string };
  /** The documents that are open from now on; the first one is active. */
  open(paths: readonly string[]): Promise<void>;
  /** The user selects `text` in the active document. Goes the normal way, debounce included. */
  select(text: string): void;
  /** The same, told to every link at once. */
  broadcast(text: string): void;
  stop(): Promise<void>;
}

export type Launch = (world: World) => Promise<Subject>;

/** Folders of its own for one process. */
export interface World {
  readonly home: string;
  readonly tmp: string;
  readonly workspace: string;
  /** The built bundle of the core, as a URL. */
  readonly core: string;
}

/** The active document's selection in every measure: a marked text of about 1 KB. */
export function selectionText(count: number): string {
  return `${MARK}${String(count).padStart(6, '0')} ${'const answer = 42; // selected\n'.repeat(33)}`;
}

export const MARK = 'selection-';
