import { ChangeSet, Text } from '@codemirror/state';
import { languageOf, type Position, type Selection } from '@tandem/core';
import type { OpenDocument, SelectionRange, Tab, UpdateJson } from '@tandem/ui/protocol';
import { type Format, type FromDisk, NEW_FILE, type Stamp } from './disk.ts';

/** Updates a page may be behind before it must fetch the document anew. */
const MAX_HISTORY = 2000;

/** One open document. The workbench has the last word on its text; pages send it steps and take those of others. */
export class WorkbenchDocument {
  readonly path: string;
  readonly language: string;
  format: Format;
  stamp: Stamp | undefined;
  note: string | undefined;
  readOnly: boolean;
  preview = false;
  conflict: Tab['conflict'] = 'none';
  selections: readonly Selection[] = [];
  #ranges: readonly SelectionRange[] = [];
  #text: Text;
  #saved: Text;
  #version = 0;
  readonly #updates: UpdateJson[] = [];

  constructor(path: string, disk: FromDisk) {
    this.path = path;
    this.language = languageOf(path);
    this.format = disk.kind === 'text' ? disk.format : NEW_FILE;
    this.stamp = disk.stamp;
    this.note = disk.kind === 'text' ? disk.readOnly : disk.note;
    this.readOnly = this.note !== undefined;
    this.#text = toText(disk.kind === 'text' ? disk.text : '');
    this.#saved = this.#text;
  }

  get text(): string {
    return this.#text.toString();
  }

  get lineCount(): number {
    return this.#text.lines;
  }

  get version(): number {
    return this.#version;
  }

  get dirty(): boolean {
    return !this.#text.eq(this.#saved);
  }

  get tab(): Tab {
    const { path, language, dirty, readOnly, preview, conflict, stamp } = this;
    const disk = stamp ? `${stamp.mtimeMs}-${stamp.size}-${stamp.ino}` : '';
    return { path, language, dirty, readOnly, preview, conflict, disk };
  }

  get open(): OpenDocument {
    return {
      ...this.tab,
      version: this.#version,
      text: this.text,
      ranges: this.#ranges,
      ...(this.note === undefined ? {} : { note: this.note }),
    };
  }

  /** Steps built on `version`. `undefined`: others came first, the page has to rebase. */
  push(version: number, updates: readonly UpdateJson[]): readonly UpdateJson[] | undefined {
    if (version !== this.#version || this.readOnly) return undefined;
    let text = this.#text;
    // All or none: one bad step must not leave half of the others.
    const steps = updates.map((update) => ChangeSet.fromJSON(update.changes));
    for (const step of steps) text = step.apply(text);
    this.#text = text;
    for (const step of steps) this.#moveCarets(step);
    this.#version += updates.length;
    this.#remember(updates);
    this.preview = false;
    return updates;
  }

  /** What a page at `version` has missed; `undefined` if that is no longer known. */
  since(version: number): readonly UpdateJson[] | undefined {
    const missed = this.#version - version;
    return missed < 0 || missed > this.#updates.length ? undefined : this.#updates.slice(this.#updates.length - missed);
  }

  /**
   * Another text, as one more step: the smallest change that makes it so. What a page has typed and not sent yet is
   * moved over it, and carets stay where they are.
   */
  replace(text: string): readonly UpdateJson[] {
    const old = this.text;
    if (old === text) return [];
    const { from, to, insert } = smallestChange(old, text);
    const step = ChangeSet.of({ from, to, insert: toText(insert) }, old.length);
    const update = { clientID: 'workbench', changes: step.toJSON() };
    this.#moveCarets(step);
    this.#text = toText(text);
    this.#version += 1;
    this.#remember([update]);
    return [update];
  }

  #remember(updates: readonly UpdateJson[]): void {
    this.#updates.push(...updates);
    if (this.#updates.length > MAX_HISTORY) this.#updates.splice(0, this.#updates.length - MAX_HISTORY);
  }

  reloaded(disk: Extract<FromDisk, { kind: 'text' }>): readonly UpdateJson[] {
    const updates = this.replace(disk.text);
    this.format = disk.format;
    this.saved(disk.stamp);
    return updates;
  }

  /** The same document under another name. */
  movedTo(path: string): WorkbenchDocument {
    const moved = new WorkbenchDocument(path, { kind: 'other', note: '', stamp: this.stamp ?? NO_STAMP });
    const { format, stamp, note, readOnly, conflict, selections } = this;
    Object.assign(moved, { format, stamp, note, readOnly, conflict, selections });
    moved.#text = this.#text;
    moved.#saved = this.#saved;
    moved.#ranges = this.#ranges;
    return moved;
  }

  saved(stamp: Stamp, text: Text = this.#text): void {
    this.#saved = text;
    this.stamp = stamp;
    this.conflict = 'none';
  }

  /** What is being written; edits that come meanwhile keep the document dirty. */
  get snapshot(): Text {
    return this.#text;
  }

  select(ranges: readonly SelectionRange[]): readonly Selection[] {
    this.#ranges = ranges;
    this.selections = ranges.slice(0, 1000).map(({ anchor, head }) => {
      const [from, to] = [this.#clamp(Math.min(anchor, head)), this.#clamp(Math.max(anchor, head))];
      const text = this.#text.sliceString(from, to);
      return { start: this.positionAt(from), end: this.positionAt(to), text, reversed: head < anchor };
    });
    return this.selections;
  }

  positionAt(offset: number): Position {
    const line = this.#text.lineAt(this.#clamp(offset));
    return { line: line.number - 1, character: this.#clamp(offset) - line.from };
  }

  offsetAt({ line, character }: Position): number {
    if (line >= this.#text.lines) return this.#text.length;
    const { from, to } = this.#text.line(Math.max(0, line) + 1);
    return Math.min(from + Math.max(0, character), to);
  }

  /** Until a page says where they are, they stay at their text. */
  #moveCarets(step: ChangeSet): void {
    const moved = (offset: number) => step.mapPos(Math.min(offset, step.length), 1);
    this.#ranges = this.#ranges.map(({ anchor, head }) => ({ anchor: moved(anchor), head: moved(head) }));
  }

  #clamp(offset: number): number {
    return Math.max(0, Math.min(offset, this.#text.length));
  }
}

const NO_STAMP: Stamp = { mtimeMs: 0, size: 0, ino: 0 };

function smallestChange(old: string, text: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
  let end = 0;
  const most = Math.min(old.length, text.length) - from;
  while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

function toText(text: string): Text {
  return Text.of(text.split('\n'));
}
