import { pathToFileURL } from 'node:url';
import { isEmpty, type Position } from '../../editor/model.ts';
import type { SharedContext, SharedDocument } from '../../editor/policy.ts';
import { toLf } from '../../editor/text.ts';
import type { Mention } from '../../links.ts';
import type { AtMentioned, SelectionChanged } from './schema.ts';

/** The CLI cuts at 2,000; more than this has never been of use to anybody. */
const MAX_CHARACTERS = 16_384;
const START = { line: 0, character: 0 };
const encoded = new WeakMap<SharedContext, SelectionChanged>();

/** The active file and its primary selection; nothing when no file is active. */
export function encodeSelection(context: SharedContext): SelectionChanged | undefined {
  if (!context.active) return undefined;
  let known = encoded.get(context);
  if (!known) {
    known = encode(context.active);
    encoded.set(context, known);
  }
  return known;
}

export function encode(document: SharedDocument): SelectionChanged {
  const { start, end, text } = document.selections[0] ?? { start: START, end: START, text: '' };
  return {
    text: toLf(text).slice(0, MAX_CHARACTERS),
    filePath: document.path,
    fileUrl: urlOf(document.path),
    selection: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
      isEmpty: isEmpty({ start, end }),
    },
  };
}

export function encodeMention(mention: Mention): AtMentioned {
  if (!mention.lines) return { filePath: mention.path };
  return { filePath: mention.path, lineStart: mention.lines.start, lineEnd: mention.lines.end };
}

export function sameSelection(a: SelectionChanged, b: SelectionChanged): boolean {
  return (
    a.filePath === b.filePath &&
    a.text === b.text &&
    samePosition(a.selection.start, b.selection.start) &&
    samePosition(a.selection.end, b.selection.end)
  );
}

function samePosition(a: Position, b: Position): boolean {
  return a.line === b.line && a.character === b.character;
}

/** The same file comes again and again. */
let lastUrl = { path: '', url: '' };

function urlOf(path: string): string {
  if (lastUrl.path !== path) lastUrl = { path, url: pathToFileURL(path).href };
  return lastUrl.url;
}
