// npm run bench -- [--quick] [--json] [--only start,memory]
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Bundles, makeBundles, userNode } from './bundles.ts';
import { bytes } from './measures/bytes.ts';
import { chat } from './measures/chat.ts';
import { chatPanel } from './measures/chat-panel.ts';
import { idle } from './measures/idle.ts';
import { manyLinks } from './measures/many-links.ts';
import { mcp } from './measures/mcp.ts';
import { memory } from './measures/memory.ts';
import { openDiff } from './measures/open-diff.ts';
import { page } from './measures/page.ts';
import { selection } from './measures/selection.ts';
import { start } from './measures/start.ts';
import { vscode } from './measures/vscode.ts';
import { judge, type Row } from './rows.ts';
import { table } from './table.ts';

type Measure = (bundles: Bundles, quick: boolean) => Promise<Row[]>;
const MEASURES: Readonly<Record<string, Measure>> = {
  start,
  bytes,
  memory,
  'open-diff': openDiff,
  selection,
  'many-links': manyLinks,
  idle,
  mcp,
  chat,
  'chat-panel': chatPanel,
  page,
  vscode,
};

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});
const chosen = values.only?.split(',') ?? Object.keys(MEASURES);
const begun = performance.now();
const rows: Row[] = [];
const bundles = await makeBundles();
for (const name of chosen) {
  const measure = MEASURES[name];
  if (!measure) throw new Error(`--only: "${name}" is none of ${Object.keys(MEASURES).join(', ')}`);
  const since = performance.now();
  let measured = await measure(bundles, values.quick ?? false);
  if (values.quick && measured.some((row) => judge(row)?.fails)) {
    // Few samples mislead: what seems missed is measured again in full before it counts.
    process.stderr.write(`${name}: seems missed, measuring in full\n`);
    measured = await measure(bundles, false);
  }
  rows.push(...measured);
  process.stderr.write(`${name}: ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
}

const machine = {
  node: execFileSync(userNode, ['--version']).toString().trim(),
  cpu: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  load: Number(loadavg()[0]?.toFixed(1)),
  seconds: Math.round((performance.now() - begun) / 1000),
};
if (values.json) {
  console.log(JSON.stringify({ machine, rows: rows.map((row) => ({ ...row, verdict: judge(row) })) }, null, 2));
} else {
  console.log(`Node ${machine.node}, ${machine.cpu}, load ${machine.load}, ${machine.seconds} s\n`);
  console.log(table(rows));
}
const failing = rows.filter((row) => judge(row)?.fails);
for (const row of failing) process.stderr.write(`missed: ${row.measure}\n`);
process.exitCode = failing.length > 0 ? 1 : 0;
