import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Companion } from '../companion.ts';
import type { Outcome } from '../editor/desk.ts';
import { SHARING } from '../editor/policy.ts';
import type { Review } from '../editor/review.ts';
import { toLf } from '../editor/text.ts';
import { sendMention } from '../mention.ts';
import { Refusal } from '../refusal.ts';
import { describeLink, describeReview, iso } from './describe.ts';
import { GUEST_VERBS } from './guest-verbs.ts';
import { orRefuse, path, type Verb, verb } from './verb.ts';

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
    if (review.state === 'open') throw new Refusal(409, `review ${id} still waits; accept it instead`);
    const { lineEnding } = await review.before;
    const text = lineEnding === 'crlf' ? toLf(review.text).replaceAll('\n', '\r\n') : review.text;
    await orRefuse(writeFile(review.path, text));
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
    (input, companion) => sendMention(companion, input).then(describeLink),
  ),
  share: verb(z.object({ sharing: z.enum(SHARING) }), ({ sharing }, companion) => {
    companion.policy.sharing = sharing;
    return { sharing };
  }),
  /** For the terminals of this window; complete, secrets included. */
  environment: verb(z.object({}), (_input, companion) =>
    companion.published.map(({ dialect, environment }) => ({ dialect: dialect.id, environment })),
  ),
  invite: verb(z.object({}), (_input, companion) => {
    if (!companion.invite) throw new Refusal(409, 'this companion has no page; start one with: tandem workbench');
    return { url: companion.invite() };
  }),
  ledger: verb(z.object({}), (_input, companion) =>
    companion.ledger.entries.map((entry) => ({ ...entry, at: iso(entry.at) })),
  ),
  ...GUEST_VERBS,
};

/** A review by its id, or the only one that waits. */
function pick(companion: Companion, id: string | undefined): Review {
  if (id !== undefined) {
    const review = companion.desk.find(id);
    if (!review) throw new Refusal(404, `there is no review ${id}`);
    return review;
  }
  const [first, ...others] = companion.desk.reviews;
  if (!first) throw new Refusal(404, 'no review is waiting');
  if (others.length > 0) {
    const ids = companion.desk.reviews.map((review) => review.id).join(', ');
    throw new Refusal(409, `${others.length + 1} reviews are waiting; name one: ${ids}`);
  }
  return first;
}

function settled(outcome: Outcome) {
  if (outcome.ok) return describeReview(outcome.review);
  throw new Refusal(outcome.reason === 'unknown' ? 404 : 409, outcome.message);
}
