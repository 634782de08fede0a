import { requireTextFile } from '@tandem/core';
import type { DiffContent, Location } from './events.ts';
import type { ChatHouse } from './house.ts';

/** What a file would hold after a permission's diffs. */
export interface Proposal {
  readonly path: string;
  readonly text: string;
}

/**
 * Agents tell a change either by the whole text before and after, or by the piece that changes. A review needs the
 * whole. `undefined`: it cannot be known, and the permission can only be answered as it stands.
 */
export async function proposalsOf(
  diffs: readonly DiffContent[],
  locations: readonly Location[],
  house: ChatHouse,
): Promise<Proposal[] | undefined> {
  const told = new Set(diffs.map(({ path }) => path));
  // A yes is for all of it: where the change to a file is not told, a review would show too little.
  if (locations.some(({ path }) => !told.has(path))) return undefined;
  const texts = new Map<string, string>();
  for (const diff of diffs) {
    const now = texts.get(diff.path);
    const text = now === undefined ? await first(diff, house) : replaced(now, diff);
    if (text === undefined) return undefined;
    texts.set(diff.path, text);
  }
  // With one kind of line end, as editors give it back: else an accept would look like an edit of the user's.
  return [...texts].map(([path, text]) => ({ path, text: text.replaceAll('\r\n', '\n') }));
}

async function first(diff: DiffContent, house: ChatHouse): Promise<string | undefined> {
  if (diff.oldText === '') return diff.newText; // a new file, or all of it anew
  const disk = await requireTextFile(diff.path).catch(() => undefined);
  if (disk !== undefined && same(disk, diff.oldText)) return diff.newText;
  const unsaved = await house.editor.unsavedText(diff.path);
  if (unsaved !== undefined && same(unsaved, diff.oldText)) return diff.newText;
  // The agent will change what is on disk.
  return disk === undefined ? undefined : replaced(disk, diff);
}

function replaced(before: string, diff: DiffContent): string | undefined {
  const [text, old, fresh] = [before, diff.oldText, diff.newText].map((each) => each.replaceAll('\r\n', '\n'));
  if (!text || !old || fresh === undefined) return undefined;
  // Whole lines may also stand inside of longer ones; those are not meant.
  const at = onlyPlace(text, old) ?? (old.endsWith('\n') ? onlyPlace(`\n${text}`, `\n${old}`) : undefined);
  return at === undefined ? undefined : text.slice(0, at) + fresh + text.slice(at + old.length);
}

function onlyPlace(text: string, piece: string): number | undefined {
  const at = text.indexOf(piece);
  return at < 0 || text.indexOf(piece, at + 1) >= 0 ? undefined : at;
}

/** Line ends and a byte order mark are the agent's to restore. */
function same(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/^\ufeff/, '');
  return plain(a) === plain(b);
}
