import { caretOf } from '../../editor/model.ts';
import type { SharedContext, SharedDocument } from '../../editor/policy.ts';
import { toLf, truncate } from '../../editor/text.ts';
import type { Mention } from '../../links.ts';
import type { IdeContext } from './schema.ts';

const MAX_FILES = 10;
const MAX_CHARACTERS = 16_384;
/** The mark the agents themselves use. */
const CUT = '... [TRUNCATED]';

export interface Encoded {
  readonly context: IdeContext;
  /** To see whether anything changed. */
  readonly print: string;
}

/** Every link of both dialects sends the same thing, so one state is encoded once. */
const encoded = new WeakMap<SharedContext, Encoded>();

export function encodeContext(shared: SharedContext): Encoded {
  let known = encoded.get(shared);
  if (!known) {
    const context = encode(shared);
    known = { context, print: JSON.stringify(context) };
    encoded.set(shared, known);
  }
  return known;
}

/** A mention has no notification of its own here: it is shown as the active file with that text selected. */
export function encodeMention(mention: Mention, context: SharedContext): IdeContext {
  const file = {
    path: mention.path,
    timestamp: Date.now(),
    isActive: true,
    ...(mention.lines
      ? { cursor: { line: mention.lines.end + 1, character: 1 }, selectedText: cut(mention.text) }
      : {}),
  };
  const others = encodeContext(context).context.workspaceState.openFiles.filter((other) => other.path !== mention.path);
  const inactive = others.map(({ path, timestamp }) => ({ path, timestamp }));
  return state([file, ...inactive].slice(0, MAX_FILES), context.trusted);
}

function encode(context: SharedContext): IdeContext {
  const documents = context.documents.filter((document) => document.onDisk).slice(0, MAX_FILES);
  return state(documents.map(encodeDocument), context.trusted);
}

function state(openFiles: IdeContext['workspaceState']['openFiles'], trusted: boolean | undefined): IdeContext {
  return { workspaceState: { openFiles, ...(trusted === undefined ? {} : { isTrusted: trusted }) } };
}

function encodeDocument(document: SharedDocument): IdeContext['workspaceState']['openFiles'][number] {
  const file = { path: document.path, timestamp: document.lastFocus };
  if (!document.active) return file;
  const selection = document.selections[0];
  if (!selection) return { ...file, isActive: true };
  const caret = caretOf(selection);
  // Several carets: their texts, in order, are what the user selected.
  const selected = document.selections
    .map((each) => each.text)
    .filter((each) => each !== '')
    .join('\n');
  return {
    ...file,
    isActive: true,
    cursor: { line: caret.line + 1, character: caret.character + 1 },
    ...(selected === '' ? {} : { selectedText: cut(selected) }),
  };
}

function cut(text: string): string {
  return truncate(toLf(text), MAX_CHARACTERS, CUT);
}
