import { join } from 'node:path';
import { test } from 'node:test';
import { createWorld } from '../../../test/support/world.ts';
import { EDITOR_CONTRACT, type EditorUser } from '../src/editor/contract.ts';
import { MemoryEditor } from '../src/index.ts';

for (const { name, run } of EDITOR_CONTRACT) {
  test(`MemoryEditor ${name}`, async (t) => {
    const world = createWorld(t);
    const editor = new MemoryEditor({ folders: [world.workspace] });
    const user: EditorUser = {
      open: async (path) => void (await editor.openFile({ path, preview: false, focus: true })),
      focus: (path) => editor.focus(path),
      select: (path, range) => editor.select(path, [range]),
      type: (path, text) => editor.type(path, text),
      close: (path) => editor.close(path),
      addFolder: (path) => editor.setFolders([world.workspace, path]),
      sees: (review) => editor.shown.has(review.id),
      amend: (review, text) => editor.host.amend(review.id, text),
      accept: (review) => editor.accept(review.id),
      reject: (review) => editor.reject(review.id),
    };
    await run({ editor, user, workspace: join(world.workspace) });
  });
}
