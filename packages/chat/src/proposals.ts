import { requireTextFile } from '@tandem/core';
import type { DiffContent } from './events.ts';
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
export async function proposalsOf(diffs: readonly DiffContent[], house: ChatHouse): Promise<Proposal[] | undefined> {
  const texts = new Map<string, string>();
  for (const diff of diffs) {
    const now = texts.get(diff.path);
    const text = now === undefined ? await first(diff, house) : replaced(now, diff);
    if (text === undefined) return undefined;
    texts.set(diff.path, text);
  }
  return [...texts].map(([path, text]) => ({ path, text }));
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

function replaced(text: string, { oldText, newText }: DiffContent): string | undefined {
  const lf = text.replaceAll('\r\n', '\n');
  const at = lf.indexOf(oldText);
  if (oldText === '' || at < 0 || lf.indexOf(oldText, at + 1) >= 0) return undefined;
  return lf.slice(0, at) + newText + lf.slice(at + oldText.length);
}

/** Line ends and a byte order mark are the agent's to restore. */
function same(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/^\ufeff/, '');
  return plain(a) === plain(b);
}
