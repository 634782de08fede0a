import * as z from 'zod';
import type { Companion } from '../companion.ts';
import { isOutside } from '../discovery/folders.ts';
import { requireTextFile } from '../editor/before.ts';
import { DeskFull } from '../editor/desk.ts';
import { caretOf, isEmpty, type Range } from '../editor/model.ts';
import type { SharedDocument } from '../editor/policy.ts';
import { type Decision, isAmended } from '../editor/review.ts';
import { textAt, toLf, truncate } from '../editor/text.ts';
import { Refusal } from '../refusal.ts';
import { iso } from './describe.ts';
import { guestOf } from './guest.ts';
import { orRefuse, path, type Verb, verb } from './verb.ts';

const MAX_SELECTION = 16_384;
const MAX_DIAGNOSTICS = 500;
const guest = z.object({ link: z.string() });
const line = z.int().min(0);

/**
 * What an attached agent may ask. What it is told is under the user's policy and in the ledger, as with every other
 * agent. Positions count from 0.
 */
export const GUEST_VERBS: Readonly<Record<string, Verb>> = {
  'guest/folders': verb(guest, ({ link }, companion) => {
    guestOf(companion, link);
    return { editor: companion.editor.info.displayName, folders: companion.folders };
  }),
  'guest/selection': verb(guest, ({ link }, companion) => {
    const asked = guestOf(companion, link);
    mayShare(companion);
    const { active } = companion.context;
    if (!active) return { active: null };
    const described = describeActive(active);
    asked.note('selection', [active.path], described.selections.map((each) => each.text).join('\n'));
    return { active: described };
  }),
  'guest/editors': verb(guest, ({ link }, companion) => {
    const asked = guestOf(companion, link);
    mayShare(companion);
    const { documents } = companion.context;
    const paths = documents.map((document) => document.path);
    asked.note('document', paths, '');
    return {
      editors: documents.map(({ path: file, active, dirty, language }) => ({ path: file, active, dirty, language })),
    };
  }),
  'guest/diagnostics': verb(guest.extend({ path: path.optional() }), ({ link, path: file }, companion) => {
    const asked = guestOf(companion, link);
    if (!companion.editor.can.diagnostics) throw new Refusal(409, 'this editor has no diagnostics');
    if (companion.policy.sharing === 'off') throw new Refusal(403, 'the user has switched sharing off');
    if (file !== undefined && companion.policy.denies(file)) throw new Refusal(403, `${file} is on the deny list`);
    const all = [...companion.policy.diagnostics(companion.workspace, file)].flatMap(([each, diagnostics]) =>
      diagnostics.map((diagnostic) => ({ path: each, ...diagnostic })),
    );
    const diagnostics = all.slice(0, MAX_DIAGNOSTICS);
    if (diagnostics.length > 0)
      asked.note('diagnostics', [...new Set(diagnostics.map((each) => each.path))], JSON.stringify(diagnostics));
    return { diagnostics, total: all.length };
  }),
  'guest/open': verb(
    guest.extend({ path, line: line.optional(), endLine: line.optional() }),
    async ({ link, path: file, line: start, endLine = start }, companion) => {
      guestOf(companion, link);
      if (!companion.editor.can.openFile) throw new Refusal(409, 'this editor cannot be asked to open files');
      if (isOutside(companion.folders, file) && !companion.workspace.document(file)) {
        throw new Refusal(403, `${file} is outside the workspace`);
      }
      const text = (await companion.editor.unsavedText(file)) ?? (await orRefuse(requireTextFile(file)));
      const selection = start === undefined ? undefined : lines(text, start, endLine ?? start);
      const request = { path: file, preview: false, focus: true, ...(selection ? { selection } : {}) };
      const opened = await orRefuse(companion.editor.openFile(request));
      return { path: opened.path, lineCount: opened.lineCount };
    },
  ),
  /** Answered when somebody decides. Whoever hangs up takes the proposal back. */
  'guest/propose': verb(guest.extend({ path, text: z.string() }), ({ link, path: file, text }, companion, call) => {
    const asked = guestOf(companion, link);
    if (!companion.editor.can.review) throw new Refusal(409, 'this editor cannot show a diff');
    return new Promise((resolve, reject) => {
      try {
        const { id } = companion.desk.open({
          link: asked.id,
          agent: asked.agent.id,
          path: file,
          proposed: text,
          deliver: (decision, review) => resolve({ review: review.id, ...outcome(decision, isAmended(review)) }),
        });
        if (call.signal.aborted) companion.desk.withdraw(id, 'taken back');
        call.signal.addEventListener('abort', () => companion.desk.withdraw(id, 'taken back'), { once: true });
      } catch (error) {
        reject(error instanceof DeskFull ? new Refusal(429, error.message) : error);
      }
    });
  }),
  /** When, to whom, which files and how much; not the texts, which were meant for another. */
  'guest/ledger': verb(guest, ({ link }, companion) => {
    const asked = guestOf(companion, link);
    mayShare(companion);
    const entries = companion.ledger.entries.map(({ at, agent, what, paths, characters }) => ({
      at: iso(at),
      agent,
      what,
      paths: paths.filter((each) => !companion.policy.denies(each)),
      characters,
    }));
    const paths = [...new Set(entries.flatMap((entry) => entry.paths))];
    if (paths.length > 0) asked.note('document', paths, '');
    return { entries };
  }),
};

function mayShare({ policy: { sharing } }: Companion): void {
  if (sharing === 'explicit') throw new Refusal(403, 'the user shares only what they send by hand');
  if (sharing === 'off') throw new Refusal(403, 'the user has switched sharing off');
}

function describeActive(document: SharedDocument) {
  const selections = document.selections
    .filter((each) => !isEmpty(each))
    .map(({ start, end, text }) => ({ start, end, text: truncate(toLf(text), MAX_SELECTION, '... [TRUNCATED]') }));
  const [primary] = document.selections;
  return {
    path: document.path,
    language: document.language,
    dirty: document.dirty,
    ...(primary ? { caret: caretOf(primary) } : {}),
    selections,
  };
}

/** A single line is a place to look at, several are a selection; as far as the text goes. */
function lines(text: string, start: number, end: number): Range {
  const character = end > start ? Number.MAX_SAFE_INTEGER : 0;
  const { start: from, end: to } = textAt(text, {
    start: { line: start, character: 0 },
    end: { line: end, character },
  });
  return { start: from, end: to };
}

function outcome(decision: Decision, amended: boolean) {
  switch (decision.kind) {
    case 'accept':
      return { decision: 'accepted', text: decision.text, amended } as const;
    case 'reject':
      return { decision: 'rejected' } as const;
    case 'withdraw':
      return { decision: 'withdrawn', reason: decision.reason } as const;
  }
}
