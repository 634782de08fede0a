/** Between the text that agents propose and the one that VS Code holds. */

const BOM = '\ufeff';

/** VS Code keeps one line ending per document and takes the byte order mark off. */
export function sameText(proposed: string, shown: string): boolean {
  return proposed === shown || normal(proposed) === normal(shown);
}

/** What the user's text is to the agent: with the mark it came with. */
export function fromEditor(shown: string, proposed: string): string {
  return proposed.startsWith(BOM) && !shown.startsWith(BOM) ? BOM + shown : shown;
}

/** With a mark the bytes are read as UTF-8 whatever `files.encoding` says. */
export function toBytes(text: string, marked: boolean): Uint8Array {
  const bare = text.startsWith(BOM) ? text.slice(1) : text;
  return Buffer.from(marked || bare !== text ? BOM + bare : bare, 'utf8');
}

export function fromBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8');
  return text.startsWith(BOM) ? text.slice(1) : text;
}

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The smallest single change from one text to another, so that carets and folds elsewhere stay. */
export function smallestChange(old: string, text: string): Change {
  const most = Math.min(old.length, text.length);
  let from = 0;
  while (from < most && old[from] === text[from]) from += 1;
  if (isLowSurrogate(old, from) || isLowSurrogate(text, from)) from -= 1;
  let end = 0;
  while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  if (isLowSurrogate(old, old.length - end) || isLowSurrogate(text, text.length - end)) end -= 1;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

/** Whether a cut there would split a character in two. */
function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

function normal(text: string): string {
  const bare = text.startsWith(BOM) ? text.slice(1) : text;
  return bare.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}
