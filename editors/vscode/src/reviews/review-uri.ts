/** The right side of a review; editable. */
export const REVIEW_SCHEME = 'tandem-review';
/** The left side where no file can serve; read-only. */
export const BEFORE_SCHEME = 'tandem-before';

/** In the query, so that path and name stay the file's own: the language and its settings follow from them. */
export function reviewQuery(id: string, session: string): string {
  return `${session}.${id}`;
}

/** The review's id, if the query is of this session: ids begin at 1 in every session, and VS Code restores old tabs. */
export function reviewIdIn(query: string, session: string): string | undefined {
  const dot = query.indexOf('.');
  return dot > 0 && query.slice(0, dot) === session ? query.slice(dot + 1) : undefined;
}
