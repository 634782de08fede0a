// The cases of discovery-cases.ts with the real agents: who gets the first knock, and does the library say the same?
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { discover, endpointsOf, here } from '../../../packages/client/src/index.ts';
import { type AgentProfile, agents } from '../agents.ts';
import {
  type CaseFile,
  DISCOVERY_CASES,
  type DiscoveryCase,
  type Letter,
  type Place,
  tokenOf,
} from '../discovery-cases.ts';
import { type AgentName, agentCommand } from '../paths.ts';
import { Sandbox } from '../sandbox.ts';
import { pause, waitFor } from '../wait.ts';

const letters: readonly Letter[] = ['a', 'b'];

interface Knock {
  readonly letter: Letter;
  readonly token: string | undefined;
}

describe('discovery', { concurrency: 1 }, () => {
  describe('[CLA-2] the real Claude Code and the library', { concurrency: 2 }, () => cases('claude'));
  describe('[GEM-16] the real Gemini CLI and the library', { concurrency: 2 }, () => cases('gemini'));
  describe('[QWEN-5] the real Qwen Code and the library', { concurrency: 2 }, () => cases('qwen'));
});

function cases(agent: AgentName): void {
  for (const each of DISCOVERY_CASES.filter((one) => one.agent === agent)) {
    test(`${agent} finds ${each.finds ?? 'nobody'}: ${each.title}`, { timeout: 60_000 }, () => put(each));
  }
}

async function put(each: DiscoveryCase): Promise<void> {
  const sandbox = new Sandbox();
  const profile = agents[each.agent];
  const model = await profile.startModel();
  const knocks: Knock[] = [];
  const doors = await Promise.all(letters.map((letter) => openDoor(letter, knocks)));
  try {
    const place = await settle(sandbox, doors);
    profile.settle(sandbox);
    const cwd = each.cwd === undefined ? place.workspace : place[each.cwd];
    const env = each.env?.(place) ?? {};
    moveSettings(place, env);
    for (const file of each.files(place)) write(file);
    const foretold = foretell(each, place, cwd, env);

    const log = join(sandbox.root, 'debug.log');
    const all = { ...sandbox.env, ...profile.environment(model), GEMINI_DEBUG_LOG_FILE: log, ...env };
    await sandbox.tmux.start(each.agent, cwd, all, [...agentCommand(each.agent), ...profile.args]);
    const screen = () => sandbox.tmux.screen(each.agent, false);
    if (each.finds !== undefined) {
      await waitFor('a knock', () => knocks.length > 0, 30_000, screen);
    } else {
      await waitFor('the agent to be ready', async () => profile.ready.test(await screen()), 30_000, screen);
      await hasLooked(profile, place, log);
    }
    const expected =
      each.finds === undefined
        ? undefined
        : { letter: each.finds, token: each.token === null ? undefined : (each.token ?? tokenOf(each.finds)) };
    assert.deepEqual(knocks[0], expected, `the real ${each.agent}:\n${await screen()}`);
    assert.deepEqual(foretold, expected, 'the library');
  } finally {
    await sandbox.tmux.endServer();
    sandbox.killAll();
    await Promise.all([...doors.map((door) => door.close()), model.close()]);
    await waitFor('the processes to end', () => sandbox.processes().length === 0, 10_000);
    sandbox.remove();
  }
}

/** A variable that moves the discovery files moves the settings too. */
function moveSettings({ home }: Place, env: Readonly<Record<string, string>>): void {
  const { CLAUDE_CONFIG_DIR: claude, QWEN_HOME: qwen } = env;
  if (claude) copyFileSync(join(home, '.claude.json'), join(claude, '.claude.json'));
  if (qwen) copyFileSync(join(home, '.qwen', 'settings.json'), join(qwen, 'settings.json'));
}

/** What the library says, from the same terminal with the same variables. */
function foretell(each: DiscoveryCase, place: Place, cwd: string, env: Record<string, string>): Knock | undefined {
  const { processes, listens, uid } = here();
  const around = {
    cwd,
    env,
    home: place.home,
    tmp: place.tmp,
    pid: place.pids.low,
    uid,
    processes,
    ...(listens ? { listens } : {}),
  };
  const endpoints = endpointsOf(each.agent, discover(each.agent, around));
  const knocked = endpoints.find(({ port }) => port !== place.ports.closed);
  const letter = letters.find((candidate) => place.ports[candidate] === knocked?.port);
  return knocked && letter && { letter, token: knocked.token };
}

interface Door {
  readonly port: number;
  close(): Promise<void>;
}

/** Notes who knocks and lets nobody in: the agents do not try again by themselves. */
async function openDoor(letter: Letter, knocks: Knock[]): Promise<Door> {
  const note = ({ headers }: IncomingMessage) => {
    const bearer = headers.authorization?.replace('Bearer ', '');
    const claude = headers['x-claude-code-ide-authorization'];
    knocks.push({ letter, token: bearer ?? (typeof claude === 'string' ? claude : undefined) });
  };
  const server = createServer((request, response) => {
    note(request);
    response.writeHead(401).end();
  });
  server.on('upgrade', (request, socket) => {
    note(request);
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Folders, ports and processes of a case. Two sleepers in terminals of their own live and are nobody's ancestors. */
async function settle(sandbox: Sandbox, doors: readonly Door[]): Promise<Place> {
  const [alias, other, sub] = [join(sandbox.root, 'alias'), join(sandbox.root, 'other'), sandbox.path('sub')] as const;
  symlinkSync(sandbox.workspace, alias);
  for (const folder of [other, sub]) mkdirSync(folder);
  const sleepers: number[] = [];
  for (const name of ['one', 'two']) {
    sleepers.push(await sandbox.tmux.start(name, sandbox.workspace, sandbox.env, ['sleep', '300']));
  }
  const [low = 0, high = 0] = sleepers.sort((a, b) => a - b);
  const [a, b] = doors.map((door) => door.port) as [number, number];
  const gone = await openDoor('a', []);
  await gone.close();
  const pids = { editor: parentOf(low), low, high, dead: 4_000_000 };
  const { workspace, home, tmp } = sandbox;
  return { workspace, home, tmp, alias, other, sub, ports: { a, b, closed: gone.port }, pids };
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function write({ path, content, age = 0 }: CaseFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const time = Date.now() / 1000 - age;
  utimesSync(path, time, time);
}

/** Waits until an agent that finds nobody has had its look; each shows that in its own way, or only by time. */
async function hasLooked({ name }: AgentProfile, _place: Place, log: string): Promise<void> {
  if (name === 'gemini') {
    const word = () => existsSync(log) && /\[ERROR\] \[IDEClient\]/.test(readFileSync(log, 'utf8'));
    await waitFor('a word in its log', word, 3_000).catch(() => undefined); // it says none where no editor is known
  }
  await pause(name === 'claude' ? 'claudeLooks' : 'promptDrawn');
}
