import type { SessionPage } from '../connection.ts';

/** How far back is looked. */
const MAX_PAGES = 5;

/** A session that is taken up does not tell its title; the list of sessions does. */
export async function titleOf(
  id: string,
  list: (cursor?: string) => Promise<SessionPage>,
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { sessions, next } = await list(cursor);
    const found = sessions.find((each) => each.id === id);
    if (found) return found.title || undefined;
    if (next === undefined) return undefined;
    cursor = next;
  }
  return undefined;
}
