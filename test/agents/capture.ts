// Records the wire traffic of a standard conversation with each pinned agent into test/captures/<agent>-<version>/.
// Run: node test/agents/capture.ts [agent …]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Review } from './companion.ts';
import { install } from './install.ts';
import { type AgentName, agentNames, agentPackages, repoRoot } from './paths.ts';
import { redactor } from './redact.ts';
import { type Seat, World } from './world.ts';

interface WireEntry {
  t: number;
  dialect: string;
  link: string;
  dir: 'in' | 'out';
  message: unknown;
}

const text = 'one\ntwo\nthree\nfour\n';

await install();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const chosen = process.argv.slice(2);
for (const name of agentNames.filter((each) => chosen.length === 0 || chosen.includes(each))) await capture(name);

async function capture(name: AgentName): Promise<void> {
  const world = new World();
  const log = join(world.sandbox.root, 'wire.jsonl');
  try {
    await world.startCompanion({ TANDEM_WIRE_LOG: log });
    await converse(world, await world.seatAgent(name));
    await world.settle();
    const entries = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WireEntry);
    const dir = join(repoRoot, 'test', 'captures', `${name}-${agentPackages[name].version}`);
    mkdirSync(dir, { recursive: true });
    const redact = redactor(world.sandbox);
    const own = entries.filter((entry) => entry.dialect === name);
    // Only the order of messages is the same each time.
    const lines = own.map((entry, index) => JSON.stringify(redact({ ...entry, t: index + 1 })));
    writeFileSync(join(dir, 'session.jsonl'), `${lines.join('\n')}\n`);
    console.log(`${name}: ${lines.length} messages in ${dir}`);
  } finally {
    await world.discard();
  }
}

/** Context, then one review of each outcome, then goodbye. */
async function converse(world: World, seat: Seat): Promise<void> {
  world.sandbox.write('other.txt', text);
  world.sandbox.write('active.txt', text);
  await world.companion.cli('open', 'other.txt');
  await world.companion.cli('select', 'active.txt:2:1-3:3');
  await seat.knowsContext();
  await seat.ask('tell-context');
  if (seat.name === 'claude') {
    await world.companion.cli('send', 'other.txt:2-3', '--to', 'claude');
    await seat.agent.waitForVisible(/@other\.txt#L2-3/);
    await seat.ask('tell-mention');
  }

  await world.companion.accept(await propose(world, seat, 'accepted'));
  await seat.finished('accepted');
  await world.companion.accept(await propose(world, seat, 'amended'), text.replace('two', 'TWO, said the user'));
  await seat.finished('amended');
  await world.companion.reject(await propose(world, seat, 'rejected'));
  await seat.sawRejection('rejected.txt');
  await propose(world, seat, 'terminal');
  await seat.agent.allowInTerminal();
  await seat.finished('terminal');

  const path = world.sandbox.path('created.txt');
  await seat.task('created', [{ tool: 'write', path, content: 'hello\nworld\n' }]);
  await world.companion.accept(await world.companion.review(path));
  await seat.finished('created');
  await seat.quit();
}

async function propose(world: World, seat: Seat, task: string): Promise<Review> {
  const path = world.sandbox.write(`${task}.txt`, text);
  await seat.task(task, [{ tool: 'edit', path, old: 'two', new: 'TWO' }]);
  return world.companion.review(path);
}
