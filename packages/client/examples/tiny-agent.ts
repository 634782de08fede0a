/**
 * A whole agent in one page: finds the companion of this folder, says what the person looks at, proposes an edit, and
 * writes what the person accepts.
 *
 *   node packages/client/examples/tiny-agent.ts FILE 'the new text' [claude|gemini|qwen]
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, type DialectName, discover } from '@tandem/client';

const [file = 'notes.txt', text = 'hello\n', dialect = 'gemini'] = process.argv.slice(2);

const { chosen, note } = discover(dialect as DialectName);
if (!chosen) {
  console.error(`no companion: ${note}`);
  process.exit(3);
}

const link = await connect(dialect as DialectName, { agent: { name: 'tiny-agent', title: 'Tiny Agent' } });
console.log(`connected to ${chosen.ide?.displayName ?? 'an editor'}`);

link.on('context', ({ files }) => {
  const [active] = files.filter((each) => each.isActive);
  if (active) console.log(`looking at ${active.path}: ${JSON.stringify(active.selectedText ?? '')}`);
});
link.on('state', (state) => console.log(state)); // it comes back by itself

const path = resolve(file);
const diff = link.openDiff(path, text);
console.log(`proposed ${path}`);
const decision = await diff.decision;
if (decision.kind === 'accepted') writeFileSync(path, decision.text); // the companion never writes
console.log(decision.kind);
await link.close();
