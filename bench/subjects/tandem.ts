import { readFileSync } from 'node:fs';
import type { Launch } from '../subject.ts';

type Core = typeof import('../../packages/core/src/index.ts');

/** Ours: the built bundle with an editor that has no screen. */
export const launch: Launch = async (world) => {
  const { Companion, MemoryEditor } = (await import(world.core)) as Core;
  const editor = new MemoryEditor({ folders: [world.workspace] });
  const companion = new Companion({ editor, places: { home: world.home, tmp: world.tmp, env: {} } });
  await companion.start();
  let active = '';
  const select = (text: string) => {
    const selection = { start: { line: 0, character: 0 }, end: { line: 33, character: 0 }, text };
    companion.workspace.apply({ type: 'selected', path: active, selections: [selection] });
  };
  return {
    port: companion.port,
    get tokens() {
      return { http: tokenOf(companion, 'gemini'), socket: tokenOf(companion, 'claude') };
    },
    async open(paths) {
      for (const path of paths.toReversed()) {
        await editor.openFile({ path, preview: false, focus: true });
        active = path;
      }
    },
    select,
    broadcast(text) {
      select(text);
      companion.workspace.changed.emit(); // past the debounce
    },
    stop: () => companion.stop(),
  };
};

/** Read from the discovery file, as an agent does. */
function tokenOf(companion: InstanceType<Core['Companion']>, dialect: string): string {
  const published = companion.published.find((each) => each.dialect.id === dialect);
  const file = published?.files[0];
  if (file === undefined) throw new Error(`${dialect} is not published: ${published?.error}`);
  return JSON.parse(readFileSync(file, 'utf8')).authToken;
}
