import { type TestContext, test } from 'node:test';
import { startCompanion, until } from '../../../test/support/world.ts';
import { type ClaudeLink, connect } from '../../client/src/index.ts';
import { EDITOR_CONTRACT, type EditorUser } from '../../core/src/editor/contract.ts';
import type { Review } from '../../core/src/index.ts';
import { PathMap } from '../src/proxy/path-map.ts';
import { ProxyEditor } from '../src/proxy/proxy-editor.ts';

/** What the dialect between cannot carry: the text of a buffer, and a place that no text of its own names. */
const IMPOSSIBLE = [
  'gives unsaved text, and none for what is saved or not open',
  'opens a file with a selection, with or without the focus, and rejects a missing one',
];

// A whole companion with an editor that can everything stands behind the proxy, and its user does what users do.
for (const { name, run } of EDITOR_CONTRACT.filter((each) => !IMPOSSIBLE.includes(each.name))) {
  test(`an editor behind the proxy ${name}`, async (t) => {
    const { source, editor, workspace, user } = await behind(t);
    await run({ editor, user, workspace, dispose: () => source.stop() });
  });
}

/** Remembers the texts that were changed on our side, which the user must see before they decide. */
class Followed extends ProxyEditor {
  readonly changed = new Map<string, string>();

  override updateReview(review: Review): void {
    this.changed.set(review.id, review.text);
    super.updateReview(review);
  }
}

async function behind(t: TestContext) {
  const { world, companion, editor: memory, token } = await startCompanion(t);
  const endpoint = { dialect: 'claude', port: companion.port, token: token('claude') } as const;
  const link: ClaudeLink = await connect({ dialect: 'claude', find: () => [endpoint] });
  t.after(() => link.close());
  const editor = new Followed(link, {
    info: { name: 'proxy', displayName: 'Proxy', pid: process.pid },
    folders: [world.workspace],
    paths: new PathMap([]),
    tell: () => {},
  });
  // The proxy asks for the open editors in its own time; each answer is in the ledger.
  const asked = () => companion.ledger.entries.filter((entry) => entry.what === 'document').length;
  const noticed = async () => {
    const before = asked();
    await until('the proxy to look', () => asked() > before + 1, 10_000);
  };
  const theirs = (text: string) => [...memory.shown.values()].find((each) => each.text === text);
  const seen = (text: string) => until('the review', () => theirs(text));
  let typed: string | undefined;
  const user: EditorUser = {
    open: async (path) => {
      await memory.openFile({ path, preview: false, focus: true });
      await noticed();
    },
    focus: (path) => memory.focus(path),
    select: (path, range) => memory.select(path, [range]),
    type: (path, text) => memory.type(path, text),
    close: (path) => memory.close(path),
    addFolder: (path) => memory.setFolders([world.workspace, path]),
    sees: (review) => theirs(review.text) !== undefined,
    amend: async (review, text) => {
      memory.host.amend((await seen(review.text)).id, text);
      typed = text;
    },
    accept: async (review) => {
      const shown = await seen(typed ?? editor.changed.get(review.id) ?? review.text);
      typed = undefined;
      memory.accept(shown.id);
    },
    reject: async (review) => memory.reject((await seen(review.text)).id),
  };
  return { source: companion, editor, workspace: world.workspace, user };
}
