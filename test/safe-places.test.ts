import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensurePrivateDirectory, UnsafePlace, writePrivateFile } from '../packages/core/src/discovery/safe-files.ts';
import { sweep } from '../packages/core/src/discovery/stale.ts';
import { MemoryEditor } from '../packages/core/src/index.ts';
import type { ProcessOptions } from './support/companion-process.ts';
import type { Message } from './support/http-agent.ts';
import { Neighbours } from './support/neighbours.ts';
import { CompanionProcess, withMounts } from './support/processes.ts';
import { RawSocket } from './support/raw-socket.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until, type World } from './support/world.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const DIALECTS = ['claude', 'gemini', 'qwen'];

/** The folder that each dialect's first file goes into. */
function placeOf(world: World, dialect: string): string {
  if (dialect === 'claude') return join(world.home, '.claude', 'ide');
  if (dialect === 'qwen') return join(world.home, '.qwen', 'ide');
  return join(world.tmp, 'gemini', 'ide');
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function errorsOf(published: Message[]): Record<string, string | undefined> {
  return Object.fromEntries(published.map(({ dialect, error }) => [dialect.id ?? dialect, error]));
}

/** One dialect is out, for this reason; the others are published and work. */
async function onlyThatOneIsOut(t: TestContext, running: Running, dialect: string, why: RegExp): Promise<void> {
  const errors = errorsOf([...running.companion.published]);
  assert.match(errors[dialect] ?? '', why);
  const others = DIALECTS.filter((other) => other !== dialect);
  for (const other of others) assert.equal(errors[other], undefined);
  assert.ok(
    running.logged.some((line) => line.startsWith('warn') && why.test(line)),
    'the user is told',
  );
  const entry = running.companion.published.find((each) => each.dialect.id === dialect);
  assert.deepEqual(entry?.files, []);
  assert.deepEqual(entry?.environment, {});
  await (await Neighbours.connect(t, { port: running.companion.port, ...running }, others)).work();
}

for (const dialect of DIALECTS) {
  test(`[ALL-4] ${dialect}: a folder that is a symlink is refused for this dialect alone, and nothing is written through it`, async (t) => {
    const world = createWorld(t);
    const target = join(world.root, 'target');
    mkdirSync(target, { mode: 0o700 });
    mkdirSync(join(placeOf(world, dialect), '..'), { recursive: true, mode: 0o700 });
    symlinkSync(target, placeOf(world, dialect));
    const running = await startCompanion(t, { world });
    await onlyThatOneIsOut(t, running, dialect, /not safe to write in: it is a symbolic link/);
    assert.deepEqual(readdirSync(target), []);
  });

  test(`[ALL-4] ${dialect}: a folder of mode 0777 is refused for this dialect alone, and left as it is`, async (t) => {
    const world = createWorld(t);
    mkdirSync(placeOf(world, dialect), { recursive: true, mode: 0o700 });
    chmodSync(placeOf(world, dialect), 0o777);
    const running = await startCompanion(t, { world });
    await onlyThatOneIsOut(t, running, dialect, /not safe to write in: others may write in it; run chmod 700/);
    assert.deepEqual(readdirSync(placeOf(world, dialect)), []);
    assert.equal(statSync(placeOf(world, dialect)).mode & 0o777, 0o777);
  });

  test(`[ALL-4] ${dialect}: a folder of another user is refused for this dialect alone`, async (t) => {
    if (!isRoot) return t.skip('only root can give a folder to another user');
    const world = createWorld(t);
    mkdirSync(placeOf(world, dialect), { recursive: true, mode: 0o700 });
    chownSync(placeOf(world, dialect), NOBODY, NOBODY);
    const running = await startCompanion(t, { world });
    await onlyThatOneIsOut(t, running, dialect, /not safe to write in: it belongs to another user \(uid 65534\)/);
    assert.deepEqual(readdirSync(placeOf(world, dialect)), []);
  });

  test(`[ALL-4] ${dialect}: a file in the place of the folder is refused for this dialect alone, and left as it is`, async (t) => {
    const world = createWorld(t);
    mkdirSync(join(placeOf(world, dialect), '..'), { recursive: true, mode: 0o700 });
    writeFileSync(placeOf(world, dialect), 'mine');
    const running = await startCompanion(t, { world });
    await onlyThatOneIsOut(t, running, dialect, /not a folder/);
    assert.equal(readFileSync(placeOf(world, dialect), 'utf8'), 'mine');
  });
}

test('[ALL-4] a parent that others could exchange is refused too', async (t) => {
  const world = createWorld(t);
  mkdirSync(join(world.tmp, 'gemini', 'ide'), { recursive: true, mode: 0o700 });
  chmodSync(join(world.tmp, 'gemini'), 0o777);
  await onlyThatOneIsOut(t, await startCompanion(t, { world }), 'gemini', /gemini is not safe.*others may write/);
});

test('[ALL-4] a second file that cannot be written takes the first one back: no dialect is half published', async (t) => {
  const world = createWorld(t);
  mkdirSync(join(world.tmp, 'qwen', 'ide'), { recursive: true, mode: 0o700 });
  chmodSync(join(world.tmp, 'qwen', 'ide'), 0o777);
  const running = await startCompanion(t, { world });
  await onlyThatOneIsOut(t, running, 'qwen', /others may write/);
  assert.deepEqual(readdirSync(placeOf(world, 'qwen')), []);
});

test('[ALL-4] folders that others could read are made 0700, new ones are born so, whatever the umask', async (t) => {
  const world = createWorld(t);
  mkdirSync(join(world.home, '.claude', 'ide'), { recursive: true });
  chmodSync(join(world.home, '.claude', 'ide'), 0o755);
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  await startCompanion(t, { world });
  for (const folder of [
    ...DIALECTS.map((dialect) => placeOf(world, dialect)),
    join(world.tmp, 'gemini'),
    join(world.tmp, 'qwen', 'ide'),
    join(world.home, '.tandem', 'run'),
  ]) {
    assert.equal(lstatSync(folder).mode & 0o777, 0o700, folder);
  }
  const files = [...filesBelow(world.home), ...filesBelow(world.tmp)];
  assert.equal(files.length, 5);
  for (const file of files) assert.equal(lstatSync(file).mode & 0o777, 0o600, file);
});

test('[ALL-4] at no moment is a file wider than 0600, half written under its name, or in a folder others can enter', async (t) => {
  const world = createWorld(t);
  const child = new CompanionProcess(t, world, { umask: 0, spyOn: [world.home, world.tmp] });
  await child.event('ready');
  const { spied } = await child.stop();
  assert.deepEqual(spied.problems, []);
  // It really looked: four discovery files and a record were each seen under a temporary name.
  assert.ok(spied.looks >= 15, String(spied.looks));
  assert.ok(spied.temporaries >= 5, String(spied.temporaries));
  assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], []);
});

test('[ALL-4] [ALL-5] whoever watches from outside sees only whole files of 0600, and the server before the files', async (t) => {
  const world = createWorld(t);
  const seen = new Set<string>();
  const problems: string[] = [];
  const look = () => {
    for (const file of [...filesBelow(world.home), ...filesBelow(world.tmp)]) {
      const stat = lstatSync(file, { throwIfNoEntry: false });
      if (!stat) continue;
      if ((stat.mode & 0o777) !== 0o600) problems.push(`${file} ${(stat.mode & 0o777).toString(8)}`);
      if (file.endsWith('.tmp')) continue;
      const text = tryRead(file);
      if (text === undefined) continue; // gone again
      seen.add(file);
      try {
        // Whoever reads the file may connect to its port at once.
        const { port, tandem } = JSON.parse(text);
        ports.add(port ?? tandem.port);
      } catch {
        problems.push(`${file} half written: ${JSON.stringify(text)}`);
      }
    }
  };
  const ports = new Set<number>();
  const knocked = new Map<number, RawSocket>();
  for (let round = 0; round < 3; round += 1) {
    const child = new CompanionProcess(t, world, { umask: 0 });
    await until(
      'the start',
      () => {
        look();
        for (const port of ports) if (!knocked.has(port)) knocked.set(port, new RawSocket(t, port));
        return child.ready;
      },
      20_000,
    );
    look();
    child.child.stdin.end();
    await until('the end', () => {
      look();
      return child.exit;
    });
    for (const [port, socket] of knocked) assert.ok(socket.socket.bytesRead >= 0 && wasConnected(socket), String(port));
    ports.clear();
    knocked.clear();
  }
  assert.deepEqual(problems, []);
  assert.ok(seen.size >= 5);
  assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], []);
});

function wasConnected(socket: RawSocket): boolean {
  return !socket.socket.connecting && socket.socket.errored === null;
}

function tryRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

test('[ALL-4] a file is not written through a symlink that stands in its place', async (t) => {
  const world = createWorld(t);
  const directory = ensurePrivateDirectory(world.home, ['safe']);
  const victim = world.file('victim.txt', 'precious');
  symlinkSync(victim, join(directory, 'a.json'));
  writePrivateFile(directory, 'a.json', { token: 'secret' });
  assert.equal(readFileSync(victim, 'utf8'), 'precious');
  assert.ok(lstatSync(join(directory, 'a.json')).isFile());
});

test('[ALL-4] a symlink that leads nowhere is refused and not made real', (t) => {
  const world = createWorld(t);
  symlinkSync(join(world.root, 'nowhere'), join(world.home, 'safe'));
  assert.throws(() => ensurePrivateDirectory(world.home, ['safe']), UnsafePlace);
  assert.ok(!existsSync(join(world.root, 'nowhere')));
});

/** A companion that sees `folder` as the mounts make it; the others stay as they are. */
async function mounted(
  t: TestContext,
  script: (world: World) => string,
  options: (world: World) => Partial<ProcessOptions> = () => ({}),
): Promise<CompanionProcess | undefined> {
  const world = createWorld(t);
  for (const dialect of DIALECTS) mkdirSync(placeOf(world, dialect), { recursive: true, mode: 0o700 });
  const wrap = withMounts(script(world));
  if (!wrap) {
    const why = 'neither root nor user namespaces allow a mount here';
    console.log(`skipped: ${why}`);
    t.skip(why);
    return undefined;
  }
  const child = new CompanionProcess(t, world, options(world), wrap);
  await child.event('ready');
  return child;
}

async function othersWork(t: TestContext, child: CompanionProcess, dialect: string, why: RegExp): Promise<Message> {
  const errors = errorsOf(child.ready.published);
  assert.match(errors[dialect] ?? '', why);
  const others = DIALECTS.filter((other) => other !== dialect);
  for (const other of others) assert.equal(errors[other], undefined);
  assert.ok(child.ready.logged.some((line: string) => why.test(line)));
  const address = { port: child.port, world: child.world, token: (name: string) => child.token(name) };
  await (await Neighbours.connect(t, address, others)).work();
  const stopped = await child.stop();
  assert.equal(child.exit?.code, 0, child.errors);
  return stopped;
}

for (const dialect of DIALECTS) {
  test(`[ALL-4] ${dialect}: a read-only folder is refused for this dialect alone`, async (t) => {
    const child = await mounted(t, (world) => `mount -t tmpfs -o ro,mode=700 tmpfs '${placeOf(world, dialect)}'`);
    if (child) await othersWork(t, child, dialect, /EROFS|read-only/);
  });

  test(`[ALL-4] ${dialect}: a full disk is a clear error for this dialect alone, and no half file stays`, async (t) => {
    const mount = (place: string) =>
      `mount -t tmpfs -o size=4k,mode=700 tmpfs '${place}' && head -c 4096 /dev/zero > '${place}/fill'`;
    const child = await mounted(
      t,
      (world) => mount(placeOf(world, dialect)),
      (world) => ({ list: placeOf(world, dialect) }),
    );
    if (!child) return;
    assert.deepEqual(child.ready.listed, ['fill']);
    const stopped = await othersWork(t, child, dialect, /ENOSPC|no space left/);
    assert.deepEqual(stopped.listed, ['fill']);
  });
}

test('[ALL-4] a HOME that cannot be written at all leaves the companion working for what needs no HOME', async (t) => {
  const child = await mounted(t, (world) => `mount -t tmpfs -o ro,mode=700 tmpfs '${world.home}'`);
  if (!child) return;
  const errors = errorsOf(child.ready.published);
  assert.match(errors.claude ?? '', /EROFS|read-only/);
  assert.match(errors.qwen ?? '', /EROFS|read-only/);
  assert.equal(errors.gemini, undefined);
  assert.ok(child.ready.logged.some((line: string) => /tandem command will not find/.test(line)));
  await child.stop();
});

test('[ALL-6] the files of a companion that was killed are removed by the next one, and nothing else', async (t) => {
  const world = createWorld(t);
  const dead = new CompanionProcess(t, world, { editor: 'dead' });
  const living = new CompanionProcess(t, world, { editor: 'living' });
  await Promise.all([dead.event('ready'), living.event('ready')]);
  const deadFiles: string[] = dead.ready.published.flatMap((each: Message) => each.files);
  const livingFiles: string[] = living.ready.published.flatMap((each: Message) => each.files);
  await dead.kill();
  for (const file of deadFiles) assert.ok(existsSync(file), 'kill -9 leaves files');

  const [deadFile = ''] = deadFiles;
  const content = JSON.parse(readFileSync(deadFile, 'utf8'));
  const place = placeOf(world, 'claude');
  const { tandem: _mark, ...unmarked } = content;
  const keep: Record<string, string> = {
    'without our mark': JSON.stringify(unmarked),
    'with the mark of somebody else': JSON.stringify({ ...unmarked, tandem: true }),
    'with half a mark': JSON.stringify({ ...unmarked, tandem: { pid: content.tandem.pid } }),
    'not JSON': '{"tandem":',
    empty: '',
    'a list': JSON.stringify([content]),
  };
  const kept = Object.entries(keep).map(([name, text]) => {
    const path = join(place, `${name}.lock`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  });
  writeFileSync(join(world.root, 'elsewhere.lock'), JSON.stringify(content));
  symlinkSync(join(world.root, 'elsewhere.lock'), join(place, 'link.lock'));
  mkdirSync(join(place, 'folder.lock'));
  kept.push(join(place, 'link.lock'), join(place, 'folder.lock'), join(world.root, 'elsewhere.lock'));
  if (isRoot) {
    const foreign = join(place, 'of another user.lock');
    writeFileSync(foreign, JSON.stringify(content));
    chownSync(foreign, NOBODY, NOBODY);
    kept.push(foreign);
  }
  const reused = join(place, 'reused pid.lock');
  writeFileSync(reused, JSON.stringify({ ...content, tandem: { ...content.tandem, pid: process.ppid } }));

  const running = await startCompanion(t, { world });
  for (const file of deadFiles) assert.ok(!existsSync(file), `${file} of a dead companion`);
  assert.ok(!existsSync(reused), 'the mark of a living process whose port is refused');
  for (const file of [...kept, ...livingFiles]) assert.ok(lstatSync(file, { throwIfNoEntry: false }), file);
  const records = readdirSync(join(world.home, '.tandem', 'run'));
  assert.equal(records.length, 2, records.join());
  assert.ok(!records.some((name) => name.includes(String(dead.pid))));

  const address = { port: living.port, world, token: (name: string) => living.token(name) };
  await (await Neighbours.connect(t, address)).work();
  await running.companion.stop();
  for (const file of [...kept, ...livingFiles]) assert.ok(lstatSync(file, { throwIfNoEntry: false }), file);
});

test('[ALL-6] temporary files of a crash go once they are old; young ones and those of others stay', async (t) => {
  const world = createWorld(t);
  const folders = [placeOf(world, 'claude'), placeOf(world, 'gemini'), join(world.home, '.tandem', 'run')];
  const old: string[] = [];
  const stay: string[] = [];
  const anHourAgo = Date.now() / 1000 - 3600;
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, aged, list] of [
      ['.tandem-1-abc.tmp', true, old],
      ['.tandem-2-abc.tmp', false, stay],
      ['.other-1-abc.tmp', true, stay],
      ['tandem-1-abc.tmp', true, stay],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, '{', { mode: 0o600 });
      if (aged) utimesSync(path, anHourAgo, anHourAgo);
      list.push(path);
    }
  }
  await startCompanion(t, { world });
  for (const path of old) assert.ok(!existsSync(path), path);
  for (const path of stay) assert.ok(existsSync(path), path);
});

test('[ALL-6] a companion that is alive but too busy to answer keeps its files', async (t) => {
  const world = createWorld(t);
  const script = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
  const busy = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => busy.kill('SIGKILL'));
  const port = await new Promise<number>((resolve) => busy.stdout.once('data', (data) => resolve(Number(data))));
  const crowd = Array.from({ length: 8 }, () => new RawSocket(t, port)); // its queue is full
  await until('a full queue', () => crowd.filter((each) => each.connected).length >= 2);
  const directory = ensurePrivateDirectory(world.home, ['ide']);
  const path = writePrivateFile(directory, `${port}.lock`, { tandem: { version: '1', pid: busy.pid, port } });
  assert.deepEqual(await sweep(directory, process.pid), []);
  assert.ok(existsSync(path));
});

test('[ALL-6] a file that a new companion took over while we were looking is not removed', async (t) => {
  const world = createWorld(t);
  const directory = ensurePrivateDirectory(world.home, ['ide']);
  const dead = { version: '1', pid: 2 ** 22 + 1, port: 1 };
  writePrivateFile(directory, 'a.lock', { tandem: dead });
  // The next file in the folder makes the sweep wait for an answer; at that moment the first one changes hands.
  const server = createServer(() => {
    if (existsSync(join(directory, 'a.lock'))) taken = true;
    writePrivateFile(directory, 'a.lock', { tandem: { version: '1', pid: process.pid, port } });
  });
  let taken = false;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  writePrivateFile(directory, 'b.lock', { tandem: { version: '1', pid: process.pid, port } });
  await sweep(directory, 0);
  assert.equal(taken, false, 'removed as soon as it is known to be dead');
  assert.ok(existsSync(join(directory, 'a.lock')));
});

test('a broken file among the discovery files or records does not keep the companion from starting', async (t) => {
  const world = createWorld(t);
  const run = ensurePrivateDirectory(join(world.home, '.tandem'), ['run']);
  const place = ensurePrivateDirectory(join(world.home, '.claude'), ['ide']);
  const broken: unknown[] = [
    null,
    [],
    'x',
    {},
    { tandem: null },
    { tandem: 5 },
    { tandem: { pid: 1, port: 99_999 } },
    { tandem: { pid: 1, port: -1 } },
    { tandem: { pid: 0, port: 1 } },
    { tandem: { pid: -1, port: 1.5 } },
  ];
  for (const [index, content] of broken.entries()) {
    writeFileSync(join(place, `${index}.lock`), JSON.stringify(content), { mode: 0o600 });
  }
  const record = {
    tandem: '1',
    pid: 1,
    port: 4711,
    controlToken: 'ab'.repeat(32),
    editor: { name: 'memory', displayName: 'Memory' },
    workspaceFolders: [world.workspace],
    startedAt: 0,
    tokens: {},
  };
  const records: unknown[] = [
    null,
    {},
    { ...record, port: 99_999 },
    { ...record, pid: 0 },
    { ...record, editor: null },
    { ...record, pid: 2 ** 22 + 1, tokens: null },
    { ...record, pid: 2 ** 22 + 2, workspaceFolders: null },
    { ...record, pid: 2 ** 22 + 3, workspaceFolders: [5] },
    { ...record, stoppedAt: Date.now(), sessions: 5 },
    { ...record, stoppedAt: Date.now(), sessions: [null] },
    { ...record, stoppedAt: 'x', sessions: [{ session: 5 }] },
  ];
  for (const [index, content] of records.entries()) {
    writeFileSync(join(run, `${7000 + index}-1.json`), JSON.stringify(content), { mode: 0o600 });
  }
  writeFileSync(join(run, '1-1.json'), '{"pid":', { mode: 0o600 });
  const running = await startCompanion(t, { world });
  assert.deepEqual(errorsOf([...running.companion.published]), {
    claude: undefined,
    gemini: undefined,
    qwen: undefined,
  });
  await (await Neighbours.connect(t, { port: running.companion.port, ...running })).work();
});

test('[ALL-2] a token that is empty or too short is not taken over from a predecessor', async (t) => {
  for (const token of ['', 'x', '0'.repeat(31), 5, null]) {
    const world = createWorld(t);
    const before = await startCompanion(t, { world });
    const link = await new SocketAgent(before.companion.port, before.token('claude')).connect();
    t.after(() => link.socket.terminate());
    await before.companion.stop();
    const [file = ''] = filesBelow(join(world.home, '.tandem', 'run'));
    const record = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(typeof record.tokens.claude, 'string'); // else this test no longer tests anything
    record.tokens.claude = token;
    writeFileSync(file, JSON.stringify(record));
    const running = await startCompanion(t, { world, editor: new MemoryEditor({ folders: [world.workspace] }) });
    assert.match(running.token('claude'), /^[0-9a-f]{32,}$/);
    const stranger = new SocketAgent(running.companion.port, String(token ?? ''));
    t.after(() => stranger.socket.terminate());
    await assert.rejects(stranger.opened, /401/);
  }
});

test('[ALL-2] tokens are new for each companion, 128 bits or more, and different for each dialect', async (t) => {
  const all: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const running = await startCompanion(t);
    all.push(...DIALECTS.map(running.token));
  }
  assert.equal(new Set(all).size, 9);
  for (const token of all) assert.match(token, /^[0-9a-f]{32,}$/);
});
