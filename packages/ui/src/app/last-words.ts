import { rebaseUpdates } from '@codemirror/collab';
import { ChangeSet } from '@codemirror/state';
import type { SelectionRange, UpdateJson } from '../protocol.ts';
import type { Connection } from './connection.ts';

/** What a window typed and could not be sure to have sent when it went. */
export interface LastWords {
  /** The workbench it was for; another one does not know the version. */
  readonly instance: string;
  readonly path: string;
  readonly version: number;
  readonly updates: readonly UpdateJson[];
  readonly ranges: readonly SelectionRange[];
}

const PREFIX = 'tandem-last-words-';
const TRIES = 3;

/** A browser may drop what a page sends while it goes, so it is left here too; a page that is there sends it again. */
export function leaveWords(words: readonly LastWords[]): void {
  try {
    if (words.length > 0) localStorage.setItem(`${PREFIX}${crypto.randomUUID()}`, JSON.stringify(words));
  } catch {
    // full or forbidden: then it was sent once, which mostly arrives
  }
}

/** Calls when another window has left some. */
export function onWordsLeft(heard: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) heard();
  });
}

/** Sends what is missing of them. What has arrived already is known by its sender and left out. */
export async function deliverWords(connection: Connection, instance: string): Promise<void> {
  for (const words of takeWords()) {
    if (words?.instance === instance) await deliver(connection, words).catch(() => {}); // the document was closed since
  }
}

function takeWords(): LastWords[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  return keys.flatMap((key) => {
    const text = localStorage.getItem(key) ?? '[]';
    localStorage.removeItem(key);
    try {
      return JSON.parse(text) as LastWords[];
    } catch {
      return [];
    }
  });
}

async function deliver(connection: Connection, { path, version, updates, ranges }: LastWords): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { updates: since } = await connection.ask('since', { path, version });
    if (!since) return;
    const rest = rebaseUpdates(updates.map(fromJson), since.map(fromJson)).map(toJson);
    const now = version + since.length;
    // Refused when somebody else was quicker: then once more on top of that.
    if (rest.length > 0 && !(await connection.ask('push', { path, version: now, updates: rest })).accepted) continue;
    const alone = since.every(({ clientID }) => clientID === updates[0]?.clientID);
    if (alone) await connection.ask('select', { path, version: now + rest.length, ranges });
    return;
  }
}

function fromJson({ clientID, changes }: UpdateJson): { clientID: string; changes: ChangeSet } {
  return { clientID, changes: ChangeSet.fromJSON(changes) };
}

export function toJson({ clientID, changes }: { clientID: string; changes: ChangeSet }): UpdateJson {
  return { clientID, changes: changes.toJSON() };
}
