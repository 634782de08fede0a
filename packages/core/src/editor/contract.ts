import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Desk, type Outcome } from './desk.ts';
import type { Range } from './model.ts';
import type { Editor } from './port.ts';
import type { Decision, Review } from './review.ts';
import { Workspace } from './workspace.ts';

/** A user at the keyboard of the editor under test: each adapter's test says how. */
export interface EditorUser {
  open(path: string): Promise<void> | void;
  focus(path: string): Promise<void> | void;
  select(path: string, range: Range): Promise<void> | void;
  /** Replaces the text of an open document without saving it. */
  type(path: string, text: string): Promise<void> | void;
  close(path: string): Promise<void> | void;
  addFolder(path: string): Promise<void> | void;
  /** Whether the review is on the screen. */
  sees(review: Review): Promise<boolean> | boolean;
  amend(review: Review, text: string): Promise<unknown> | unknown;
  accept(review: Review): Promise<unknown> | unknown;
  reject(review: Review): Promise<unknown> | unknown;
}

export interface EditorUnderTest {
  readonly editor: Editor;
  readonly user: EditorUser;
  /** A folder that the editor has open as its workspace; the contract makes files in it. */
  readonly workspace: string;
  dispose?(): Promise<void> | void;
}

export interface ContractCase {
  readonly name: string;
  run(subject: EditorUnderTest): Promise<void>;
}

/** What every adapter must do, whatever the editor. Run each case with a subject of its own. */
export const EDITOR_CONTRACT: readonly ContractCase[] = [
  {
    name: 'names itself and a living process',
    run: async ({ editor }) => {
      assert.match(editor.info.name, /^[a-z0-9-]+$/);
      assert.ok(editor.info.displayName.length > 0);
      assert.doesNotThrow(() => process.kill(editor.info.pid, 0));
    },
  },
  {
    name: 'reports its folders at the start, and again when one is added',
    run: (subject) =>
      during(subject, async ({ workspace, user }) => {
        await soon('the folder', () => workspace.folders.includes(subject.workspace));
        const added = join(subject.workspace, '..', 'added');
        mkdirSync(added, { recursive: true });
        await user.addFolder(added);
        await soon('the added folder', () => workspace.folders.includes(added));
      }),
  },
  {
    name: 'reports documents: opened, focused, changed, closed',
    run: (subject) =>
      during(subject, async ({ workspace, user, file }) => {
        const [a, b] = [file('contract-a.txt', 'aaa\n'), file('contract-b.txt', 'bbb\n')];
        await user.open(a);
        await user.open(b);
        await user.focus(a);
        await soon('a is active', () => workspace.active?.path === a);
        assert.deepEqual(
          workspace.documents.map((document) => document.path).filter((path) => path === a || path === b),
          [a, b],
          'the last focused one comes first',
        );
        await user.type(b, 'changed\n');
        await soon('b is dirty', () => workspace.document(b)?.dirty === true);
        assert.equal(workspace.document(a)?.dirty, false);
        await user.close(a);
        await soon('a is closed', () => workspace.document(a) === undefined);
        assert.notEqual(workspace.active?.path, a);
      }),
  },
  {
    name: 'reports selections with their text, 0-based, also beyond the basic plane',
    run: (subject) =>
      during(subject, async ({ workspace, user, file }) => {
        const path = file('contract-s.txt', 'one\n😀 two\nthree\n');
        await user.open(path);
        await user.focus(path);
        await user.select(path, { start: { line: 1, character: 3 }, end: { line: 2, character: 2 } });
        await soon('the selection', () => workspace.selections(path)[0]?.text === 'two\nth');
        assert.deepEqual(workspace.selections(path)[0]?.start, { line: 1, character: 3 });
        assert.deepEqual(workspace.selections(path)[0]?.end, { line: 2, character: 2 });
      }),
  },
  {
    name: 'gives unsaved text, and none for what is saved or not open',
    run: (subject) =>
      during(subject, async ({ user, file }) => {
        const { editor } = subject;
        const path = file('contract-u.txt', 'saved\n');
        assert.equal(await editor.unsavedText(path), undefined);
        await user.open(path);
        assert.equal(await editor.unsavedText(path), undefined);
        await user.type(path, 'unsaved\n');
        await soon('the unsaved text', async () => (await editor.unsavedText(path)) === 'unsaved\n');
        if (!editor.can.save) return;
        assert.equal(await editor.save(path), true);
        assert.equal(await editor.unsavedText(path), undefined);
        assert.equal(await editor.save(join(subject.workspace, 'not-open.txt')), false);
      }),
  },
  {
    name: "writes the user's own text, and an open document follows",
    run: (subject) =>
      during(subject, async ({ user, file }) => {
        const { editor } = subject;
        if (!editor.write) return;
        const path = file('contract-w.txt', 'saved\n');
        await user.open(path);
        await user.type(path, 'unsaved\n');
        await soon('the unsaved text', async () => (await editor.unsavedText(path)) === 'unsaved\n');
        await editor.write(path, 'decided\n');
        await soon('nothing unsaved', async () => (await editor.unsavedText(path)) === undefined);
        assert.equal(readFileSync(path, 'utf8'), 'decided\n');
        const fresh = join(subject.workspace, 'contract-w-new.txt');
        await editor.write(fresh, 'new\n');
        assert.equal(readFileSync(fresh, 'utf8'), 'new\n');
      }),
  },
  {
    name: 'opens a file with a selection, with or without the focus, and rejects a missing one',
    run: (subject) =>
      during(subject, async ({ workspace, file }) => {
        const { editor } = subject;
        if (!editor.can.openFile) return;
        const [a, b] = [file('contract-o.js', 'let a;\nlet b;\n'), file('contract-p.js', 'let c;\n')];
        const selection = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
        const opened = await editor.openFile({ path: a, selection, preview: false, focus: true });
        assert.equal(opened.language, 'javascript');
        assert.ok(opened.lineCount >= 2);
        await soon('it is active', () => workspace.active?.path === a);
        await soon('it is selected', () => workspace.selections(a)[0]?.text === 'let');
        await editor.openFile({ path: b, preview: true, focus: false });
        await soon('the other is open', () => workspace.document(b) !== undefined);
        assert.equal(workspace.active?.path, a);
        await assert.rejects(editor.openFile({ path: join(subject.workspace, 'none'), preview: false, focus: true }));
      }),
  },
  {
    name: 'shows a review without moving the focus, and closes it when somebody else decides',
    run: (subject) =>
      during(subject, async ({ workspace, user, propose, file }) => {
        if (!subject.editor.can.review) return;
        const active = file('contract-f.txt', 'typing here\n');
        await user.open(active);
        await user.focus(active);
        await soon('the focus', () => workspace.active?.path === active);
        const { review, decide } = propose(file('contract-r.txt', 'old\n'), 'new\n');
        await soon('the review', () => user.sees(review));
        assert.equal(workspace.active?.path, active);
        decide({ kind: 'withdraw', reason: 'answered in the terminal' });
        await soon('it is closed', async () => !(await user.sees(review)));
      }),
  },
  {
    name: 'passes on what the user decides: accept with edits, reject',
    run: (subject) =>
      during(subject, async ({ user, propose, file }) => {
        if (!subject.editor.can.review) return;
        const path = file('contract-d.txt', 'old\n');
        const edited = propose(path, 'new\n');
        await soon('the review', () => user.sees(edited.review));
        await user.amend(edited.review, 'mine\n');
        await user.accept(edited.review);
        await soon('the decision', () => edited.decisions.length > 0);
        assert.deepEqual(edited.decisions, [{ kind: 'accept', text: 'mine\n' }]);
        const rejected = propose(path, 'newer\n');
        await soon('the second review', () => user.sees(rejected.review));
        await user.reject(rejected.review);
        await soon('the rejection', () => rejected.decisions.length > 0);
        assert.deepEqual(rejected.decisions, [{ kind: 'reject' }]);
      }),
  },
  {
    name: 'follows a text that was changed elsewhere',
    run: (subject) =>
      during(subject, async ({ user, propose, file }) => {
        if (!subject.editor.can.review) return;
        const { review, decisions, amend } = propose(file('contract-e.txt', 'old\n'), 'new\n');
        await soon('the review', () => user.sees(review));
        amend('changed elsewhere\n');
        await user.accept(review);
        await soon('the decision', () => decisions.length > 0);
        assert.deepEqual(decisions, [{ kind: 'accept', text: 'changed elsewhere\n' }]);
      }),
  },
  {
    name: 'shows two reviews of the same file at once and does not mix them up',
    run: (subject) =>
      during(subject, async ({ user, propose, file }) => {
        if (!subject.editor.can.review) return;
        const path = file('contract-2.txt', 'old\n');
        const [one, two] = [propose(path, 'from one\n'), propose(path, 'from two\n')];
        await soon('both', async () => (await user.sees(one.review)) && (await user.sees(two.review)));
        await user.reject(one.review);
        await soon('the first decision', () => one.decisions.length > 0);
        assert.deepEqual(two.decisions, []);
        await user.accept(two.review);
        await soon('the second decision', () => two.decisions.length > 0);
        assert.deepEqual(two.decisions, [{ kind: 'accept', text: 'from two\n' }]);
      }),
  },
];

interface Bench {
  readonly workspace: Workspace;
  readonly user: EditorUser;
  file(name: string, content: string): string;
  propose(path: string, proposed: string): Proposal;
}

interface Proposal {
  readonly review: Review;
  readonly decisions: Decision[];
  amend(text: string): Outcome;
  decide(decision: Decision): Outcome;
}

/** Starts the editor on a workspace and a desk of its own, as the companion does. */
async function during(subject: EditorUnderTest, work: (bench: Bench) => Promise<void>): Promise<void> {
  const { editor } = subject;
  const workspace = new Workspace();
  const desk = new Desk(
    { openReviews: 10, openReviewsPerLink: 10 },
    { before: async () => ({ text: 'old\n', exists: true, unsaved: false, lineEnding: 'lf' }), isOutside: () => false },
  );
  desk.opened.on((review) => editor.showReview(review));
  desk.amended.on((review) => editor.updateReview(review));
  desk.decided.on((review) => editor.closeReview(review));
  await editor.start({
    apply: (event) => workspace.apply(event),
    amend: (id, text) => desk.amend(id, text),
    decide: (id, decision) => desk.decide(id, decision, 'editor'),
  });
  try {
    await work({
      workspace,
      user: subject.user,
      file: (name, content) => {
        const path = join(subject.workspace, name);
        writeFileSync(path, content);
        return path;
      },
      propose: (path, proposed) => {
        const decisions: Decision[] = [];
        const deliver = (decision: Decision) => decisions.push(decision);
        const review = desk.open({ link: `link ${proposed}`, agent: 'contract', path, proposed, deliver });
        return {
          review,
          decisions,
          amend: (text) => desk.amend(review.id, text),
          decide: (decision) => desk.decide(review.id, decision, 'terminal'),
        };
      },
    });
  } finally {
    await editor.stop();
    workspace.dispose();
    await subject.dispose?.();
  }
}

async function soon(what: string, probe: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await probe())) {
    if (Date.now() > deadline) assert.fail(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
