import type { ReadonlySignal } from '@preact/signals';
import type { FilePart } from './protocol.ts';

/** What the panel wants of what is around it. */
export interface Surroundings {
  openFile(path: string, line?: number): void;
  showReview(id: string): void;
  copy(text: string): Promise<boolean>;
  /** Offers a text to be saved as a file. */
  save(name: string, text: string): void;
  /** Every file of the workspace, absolute. */
  files(): Promise<readonly string[]>;
  /** What goes along with a prompt if the user wants it, and may. */
  readonly looking: ReadonlySignal<FilePart | undefined>;
  /** What is selected right now, or the file in front. */
  selection(): FilePart | undefined;
  readonly folders: ReadonlySignal<readonly string[]>;
  /** Reviews that still wait on the desk. */
  readonly reviews: ReadonlySignal<ReadonlySet<string>>;
  /** Kept over a reload of the panel. */
  readonly memory: Memory;
  /** Where the user names further agents. */
  readonly agentsAt: { readonly key: string; readonly where: string };
}

export interface Memory {
  get(key: string): string | undefined;
  set(key: string, value: string | undefined): void;
}
