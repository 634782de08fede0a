import { writeFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { Companion } from '../companion.ts';
import { requireTextFile } from '../editor/before.ts';
import type { Outcome } from '../editor/desk.ts';
import { SHARING } from '../editor/policy.ts';
import type { Review } from '../editor/review.ts';
import { textIn } from '../editor/text.ts';
import type { Link } from '../links.ts';
import { describeLink, describeReview, iso } from './describe.ts';

/** What the user is told when a command cannot be done; the connection is fine. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Verb<Input extends z.ZodType = z.ZodType> {
  readonly input: Input;
  run(input: z.infer<Input>, companion: Companion): unknown;
}

const path = z.string().refine((value) => isAbsolute(value) && !value.includes('\0'), 'must be an absolute path');
const position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const one = z.object({ id: z.string().optional() });

/** Everything a running companion can be asked from outside. */
export const VERBS: Readonly<Record<string, Verb>> = {
  status: verb(z.object({}), (_input, companion) => ({
    pid: process.pid,
    port: companion.port,
    startedAt: iso(companion.startedAt),
    editor: companion.editor.info.displayName,
    workspaceFolders: companion.folders,
    sharing: companion.policy.sharing,
    deny: companion.policy.deny,
    dialects: companion.published.map((each) => ({
      dialect: each.dialect.id,
      agent: each.dialect.agent,
      files: each.files,
      ...(each.error === undefined ? {} : { error: each.error }),
    })),
    links: companion.links.all.map(describeLink),
    reviews: companion.desk.reviews.length,
  })),
  'review/list': verb(z.object({}), (_input, companion) => companion.desk.reviews.map(describeReview)),
  'review/show': verb(one, async ({ id }, companion) => {
    const review = pick(companion, id);
    const before = await review.before;
    return { ...describeReview(review), original: before, proposed: review.proposed, text: review.text };
  }),
  'review/accept': verb(one.extend({ text: z.string().optional() }), ({ id, text }, companion) => {
    const review = pick(companion, id);
    const decision = { kind: 'accept', text: text ?? review.text } as const;
    return settled(companion.desk.decide(review.id, decision, 'command line'));
  }),
  'review/reject': verb(one, ({ id }, companion) =>
    settled(companion.desk.decide(pick(companion, id).id, { kind: 'reject' }, 'command line')),
  ),
  'review/amend': verb(one.extend({ text: z.string() }), ({ id, text }, companion) =>
    settled(companion.desk.amend(pick(companion, id).id, text)),
  ),
  /** Writes the user's own text of a review that the terminal answered without it, because the user says so. */
  'review/restore': verb(z.object({ id: z.string() }), async ({ id }, companion) => {
    const review = pick(companion, id);
    if (review.state === 'open') throw new ControlError(409, `review ${id} still waits; accept it instead`);
    await orRefuse(writeFile(review.path, review.text));
    return describeReview(review);
  }),
  open: verb(
    z.object({ path, selection: z.object({ start: position, end: position }).optional() }),
    ({ path: file, selection }, companion) =>
      orRefuse(
        companion.editor.openFile({ path: file, preview: false, focus: true, ...(selection ? { selection } : {}) }),
      ),
  ),
  send: verb(
    z.object({
      path,
      lines: z.object({ start: z.int().min(0), end: z.int().min(0) }).optional(),
      to: z.string().optional(),
    }),
    (input, companion) => send(companion, input),
  ),
  share: verb(z.object({ sharing: z.enum(SHARING) }), ({ sharing }, companion) => {
    companion.policy.sharing = sharing;
    return { sharing };
  }),
  ledger: verb(z.object({}), (_input, companion) =>
    companion.ledger.entries.map((entry) => ({ ...entry, at: iso(entry.at) })),
  ),
};

function verb<Input extends z.ZodType>(input: Input, run: Verb<Input>['run']): Verb {
  return { input, run } as unknown as Verb;
}

/** What the system refuses is the user's to know, not a fault of ours. */
function orRefuse<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new ControlError(409, error.message);
  });
}

/** A review by its id, or the only one that waits. */
function pick(companion: Companion, id: string | undefined): Review {
  if (id !== undefined) {
    const review = companion.desk.find(id);
    if (!review) throw new ControlError(404, `there is no review ${id}`);
    return review;
  }
  const [first, ...others] = companion.desk.reviews;
  if (!first) throw new ControlError(404, 'no review is waiting');
  if (others.length > 0) {
    const ids = companion.desk.reviews.map((review) => review.id).join(', ');
    throw new ControlError(409, `${others.length + 1} reviews are waiting; name one: ${ids}`);
  }
  return first;
}

function settled(outcome: Outcome) {
  if (outcome.ok) return describeReview(outcome.review);
  throw new ControlError(outcome.reason === 'unknown' ? 404 : 409, outcome.message);
}

async function send(
  companion: Companion,
  input: { path: string; lines?: { start: number; end: number } | undefined; to?: string | undefined },
) {
  if (!companion.policy.allowsSending(input.path)) {
    const why = companion.policy.sharing === 'off' ? 'sharing is off' : 'it is on the deny list';
    throw new ControlError(403, `${input.path} is not sent: ${why}`);
  }
  const link = recipient(companion, input.to);
  const content = (await companion.editor.unsavedText(input.path)) ?? (await orRefuse(requireTextFile(input.path)));
  const text = input.lines ? linesOf(content, input.lines) : '';
  link.mention?.({ path: input.path, text, ...(input.lines ? { lines: input.lines } : {}) });
  return describeLink(link);
}

function linesOf(content: string, lines: { start: number; end: number }): string {
  return textIn(content, {
    start: { line: lines.start, character: 0 },
    end: { line: lines.end, character: Number.MAX_SAFE_INTEGER },
  });
}

/** Named by its id or by its agent; never a guess between two. */
function recipient(companion: Companion, to: string | undefined): Link {
  const able = companion.links.all.filter((link) => link.mention);
  const links = able.filter((link) => to === undefined || link.id === to || link.agent.id === to);
  const [first, ...others] = links;
  if (!first) throw new ControlError(404, to === undefined ? 'no agent is connected' : `no agent ${to} is connected`);
  if (others.length > 0) {
    throw new ControlError(
      409,
      `several agents are connected; name one with --to: ${links.map((link) => link.id).join(', ')}`,
    );
  }
  return first;
}
