/** A companion in a process of its own, for tests that end it without warning. */

import { readFileSync } from 'node:fs';
import { Companion, MemoryEditor } from '../../packages/core/src/index.ts';

const world = JSON.parse(process.argv[2] ?? '{}') as { home: string; tmp: string; workspace: string };
const companion = new Companion({
  editor: new MemoryEditor({ folders: [world.workspace] }),
  places: { home: world.home, tmp: world.tmp, env: {} },
});
await companion.start();
const tokens = companion.published.map((each) => [
  each.dialect.id,
  JSON.parse(readFileSync(each.files[0] ?? '', 'utf8')).authToken,
]);
process.send?.({ port: companion.port, tokens: Object.fromEntries(tokens) });
