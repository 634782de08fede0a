import { type Companion, describeLink, languageOf, Refusal, type Review, SHARING, sendMention } from '@tandem/core';
import type { Viewer } from '@tandem/ui/chat-hub';
import type { Requests, ReviewItem, ReviewText } from '@tandem/ui/protocol';
import * as z from 'zod';
import { PANEL_REQUEST } from './chat-command.ts';
import type { Chats } from './chats.ts';
import type { Files } from './files.ts';
import { LSP_INPUT, problemsOf } from './language-servers/asks.ts';
import type { WorkbenchEditor } from './workbench-editor.ts';

export interface Desktop {
  readonly companion: Companion;
  readonly editor: WorkbenchEditor;
  readonly files: Files;
  readonly chats: Chats;
}

interface Answerer {
  readonly input: z.ZodType;
  run(input: unknown, desktop: Desktop, viewer: Viewer): unknown;
}

const path = z.string().max(4096);
const offset = z.int().min(0);
const nothing = {};

/** Every request of a page: its input is checked, and a file is only touched inside the workspace. */
export const ASKS: Readonly<Record<keyof Requests, Answerer>> = {
  tree: ask('tree', z.object({ path, all: z.boolean() }), async (input, { files, editor }) => {
    files.inside(input.path); // or it is refused
    editor.documents.watch(input.path); // first: what comes while it is read is told
    return { entries: await files.list(input.path, input.all) };
  }),
  open: ask('open', z.object({ path, preview: z.boolean().optional() }), async (input, { files, editor }) => {
    return (await editor.documents.open(files.inside(input.path), input.preview)).open;
  }),
  close: ask('close', z.object({ path, discard: z.boolean() }), (input, { editor }) => ({
    closed: editor.documents.close(input.path, input.discard),
  })),
  focus: ask('focus', z.object({ path: path.nullable() }), (input, { editor }) => {
    editor.documents.focus(input.path ?? undefined);
    return nothing;
  }),
  select: ask(
    'select',
    z.object({ path, version: z.int(), ranges: z.array(z.object({ anchor: offset, head: offset })).max(1000) }),
    (input, { editor }) => {
      // Offsets into a text we do not have yet say nothing; the page sends them again after its push.
      if (editor.documents.get(input.path).version === input.version) editor.documents.select(input.path, input.ranges);
      return nothing;
    },
  ),
  push: ask(
    'push',
    z.object({
      path,
      version: z.int(),
      updates: z.array(z.object({ clientID: z.string(), changes: z.unknown() })).max(10_000),
    }),
    (input, { editor }) => ({ accepted: editor.documents.push(input.path, input.version, input.updates) }),
  ),
  keep: ask('keep', z.object({ path }), (input, { editor }) => {
    editor.documents.keep(input.path);
    return nothing;
  }),
  since: ask('since', z.object({ path, version: z.int().min(0) }), (input, { editor }) => {
    const updates = editor.documents.get(input.path).since(input.version);
    return updates ? { updates } : {};
  }),
  restore: ask(
    'restore',
    z.object({ path, text: z.string(), disk: z.string().max(200) }),
    async (input, { files, editor }) =>
      (await editor.documents.restore(files.inside(input.path), input.text, input.disk)).open,
  ),
  save: ask('save', z.object({ path, overwrite: z.boolean() }), async (input, { files, editor }) => {
    const target = files.inside(input.path);
    const document = editor.documents.get(target);
    try {
      return { saved: await editor.documents.save(target, input.overwrite), conflict: document.conflict };
    } catch (error) {
      if (document.conflict === 'changed') return { saved: false, conflict: document.conflict };
      throw new Refusal(409, (error as Error).message);
    }
  }),
  reload: ask(
    'reload',
    z.object({ path }),
    async (input, { editor }) => (await editor.documents.reload(input.path)).open,
  ),
  check: ask('check', z.object({}), (_input, { editor }) => {
    editor.documents.checkDisk();
    return nothing;
  }),
  find: ask('find', z.object({}), async (_input, { files }) => ({ paths: await files.all() })),
  addFolder: ask('addFolder', z.object({ path }), async (input, { editor }) => {
    await editor.addFolder(input.path);
    return nothing;
  }),
  create: ask('create', z.object({ path, kind: z.enum(['file', 'folder']) }), async (input, { files }) => {
    await files.create(input.path, input.kind);
    return nothing;
  }),
  rename: ask('rename', z.object({ from: path, to: path }), async (input, { files, editor }) => {
    await files.rename(input.from, input.to);
    editor.documents.renamed(input.from, input.to);
    return nothing;
  }),
  review: ask('review', z.object({ id: z.string() }), ({ id }, desktop) =>
    reviewText(desktop, desktop.editor.review(id)),
  ),
  amend: ask('amend', z.object({ id: z.string(), text: z.string() }), ({ id, text }, { editor }) => {
    editor.amend(id, text);
    return nothing;
  }),
  accept: ask('accept', z.object({ id: z.string(), text: z.string() }), ({ id, text }, { editor }) => {
    editor.decide(id, { kind: 'accept', text });
    return nothing;
  }),
  reject: ask('reject', z.object({ id: z.string() }), ({ id }, { editor }) => {
    editor.decide(id, { kind: 'reject' });
    return nothing;
  }),
  send: ask(
    'send',
    z.object({ path, lines: z.object({ start: offset, end: offset }).optional(), to: z.string() }),
    async (input, { companion }) => {
      const { path: file, lines, to } = input;
      await sendMention(companion, { path: file, lines, to });
      return nothing;
    },
  ),
  share: ask('share', z.object({ sharing: z.enum(SHARING) }), ({ sharing }, { companion }) => {
    companion.policy.sharing = sharing;
    return nothing;
  }),
  ledger: ask('ledger', z.object({}), (_input, { companion }) => ({
    entries: companion.ledger.entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
  })),
  problems: ask('problems', z.object({}), (_input, { companion, editor }) =>
    problemsOf(companion.workspace, editor.languageServers),
  ),
  lsp: ask('lsp', LSP_INPUT, async ({ path: file, method, params }, { editor }) => ({
    result: (await editor.languageServers?.request(editor.documents.get(file).path, method, params)) ?? null,
  })),
  chat: ask('chat', PANEL_REQUEST, async (input, { chats }, viewer) => ({ answer: await chats.ask(viewer, input) })),
};

function ask<Name extends keyof Requests, Input extends z.ZodType>(
  _name: Name,
  input: Input,
  run: (
    input: z.infer<Input>,
    desktop: Desktop,
    viewer: Viewer,
  ) => Requests[Name]['output'] | Promise<Requests[Name]['output']>,
): Answerer {
  return { input, run: run as Answerer['run'] };
}

export function reviewItem({ companion, chats }: Desktop, review: Review): ReviewItem {
  const link = companion.links.all.find((each) => each.id === review.link);
  const talker = chats.agentOf(review.link);
  return {
    id: review.id,
    agent: review.agent,
    agentName: link ? describeLink(link).name : (talker ?? review.agent),
    path: review.path,
    openedAt: new Date(review.openedAt).toISOString(),
    outsideWorkspace: review.outsideWorkspace,
    amended: review.text !== review.proposed,
    ...(talker === undefined ? {} : { chat: review.link }),
  };
}

async function reviewText(desktop: Desktop, review: Review): Promise<ReviewText> {
  const before = await review.before;
  return {
    ...reviewItem(desktop, review),
    language: languageOf(review.path),
    before: before.text,
    exists: before.exists,
    unsaved: before.unsaved,
    ...(before.note === undefined ? {} : { note: before.note }),
    proposed: review.proposed,
    text: review.text,
  };
}
