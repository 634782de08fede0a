import { isDeepStrictEqual } from 'node:util';
import { parseJsonc, setJsonc, unsetJsonc, valueAt } from './jsonc.ts';
import { readText, removeText, replaceText } from './settings-file.ts';
import type { Change } from './switches.ts';

/** A change that was made, with what it takes to undo it. */
export interface Made extends Change {
  /** There was no such file before. */
  readonly newFile?: true;
}

/** Makes one change. Throws when the file is no JSON, and then nothing is written. */
export function make(change: Change): Made {
  const text = readText(change.file);
  replaceText(change.file, setJsonc(text ?? '', change.path, change.to));
  return { ...change, ...(text === undefined ? { newFile: true as const } : {}) };
}

/** Whether it is undone; a setting that was changed since is the user's own and stays. */
export function undo(made: Made): boolean {
  const text = readText(made.file);
  if (text === undefined) return false;
  if (!isDeepStrictEqual(valueAt(parseJsonc(text), made.path), made.to)) return false;
  const back = made.from === undefined ? unsetJsonc(text, made.path) : setJsonc(text, made.path, made.from);
  if (made.newFile && back.trim() === '{}') removeText(made.file);
  else replaceText(made.file, back);
  return true;
}

/** `ide.enabled: false → true` */
export function describe({ path, from, to }: Change): string {
  const before = from === undefined ? 'not set' : JSON.stringify(from);
  return `${path.join('.')}: ${before} → ${JSON.stringify(to)}`;
}
