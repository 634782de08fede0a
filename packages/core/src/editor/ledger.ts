import { Signal } from '../signal.ts';

export interface LedgerEntry {
  readonly at: number;
  readonly link: string;
  readonly agent: string;
  readonly what: 'context' | 'selection' | 'mention' | 'diagnostics' | 'document' | 'output';
  readonly paths: readonly string[];
  /** The text that left, cut to keep the ledger small. */
  readonly text: string;
  readonly characters: number;
}

const MAX_ENTRIES = 500;
const MAX_TEXT = 4096;

/** What has left, to whom and when: in memory only, and bounded. */
export class Ledger {
  readonly noted = new Signal<LedgerEntry>();
  readonly #entries: LedgerEntry[] = [];

  note(entry: Omit<LedgerEntry, 'at' | 'characters'>): void {
    const noted = { ...entry, at: Date.now(), characters: entry.text.length, text: entry.text.slice(0, MAX_TEXT) };
    this.#entries.push(noted);
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
    this.noted.emit(noted);
  }

  /** Oldest first. */
  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }
}
