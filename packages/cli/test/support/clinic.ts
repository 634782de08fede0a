import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import { createWorld, type Running, startCompanion, until, type World } from '../../../../test/support/world.ts';
import { here, type Surroundings } from '../../../client/src/index.ts';
import { type DiagnoseOptions, type Diagnosis, diagnose } from '../../src/doctor/index.ts';
import type { AgentId } from '../../src/run/agents.ts';

/** The versions that doctor knows. */
const VERSIONS: Readonly<Record<AgentId, string>> = { claude: '2.1.325', gemini: '0.61.0', qwen: '0.24.4' };
export const ALL: readonly AgentId[] = ['claude', 'gemini', 'qwen'];

/** A set-up in which nothing is wrong, but for a companion; each test breaks one thing of it. */
export class Clinic {
  readonly world: World;
  readonly bin: string;
  readonly env: Record<string, string>;
  readonly #t: TestContext;

  constructor(t: TestContext) {
    this.#t = t;
    this.world = createWorld(t);
    this.bin = join(this.world.root, 'bin');
    mkdirSync(this.bin);
    this.env = { HOME: this.world.home, TMPDIR: this.world.tmp, PATH: `${this.bin}:/usr/bin:/bin` };
    for (const agent of ALL) this.program(agent, `echo ${VERSIONS[agent]}`);
    this.home('.claude.json', { autoConnectIde: true });
    this.home('.claude/settings.json', { permissions: { defaultMode: 'manual' } });
    this.home('.gemini/settings.json', { ide: { enabled: true, hasSeenNudge: true } });
    this.home('.qwen/settings.json', {
      ide: { enabled: true, hasSeenNudge: true },
      tools: { approvalMode: 'default' },
    });
  }

  /** A command of the agent's name that does this. */
  program(agent: AgentId, script: string): void {
    const path = join(this.bin, agent);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  home(name: string, content: unknown): string {
    return this.write(join(this.world.home, name), content);
  }

  write(path: string, content: unknown): string {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return path;
  }

  companion(options: Parameters<typeof startCompanion>[1] = {}): Promise<Running> {
    return startCompanion(this.#t, { world: this.world, ...options });
  }

  around(changes: Partial<Surroundings> = {}): Surroundings {
    const { home, tmp, workspace } = this.world;
    return { ...here(), cwd: workspace, home, tmp, env: this.env, ...changes };
  }

  async diagnose(agent: AgentId, options: DiagnoseOptions = {}): Promise<Diagnosis> {
    // The machine that the tests run on may be a container; that is a cause of its own.
    const [diagnosis] = await diagnose({ around: this.around(), agent, containerMarks: [], ...options });
    assert.ok(diagnosis);
    return diagnosis;
  }

  /** Exactly these causes are named for this agent; gives the diagnosis for a closer look. */
  async finds(agent: AgentId, ids: readonly string[], options: DiagnoseOptions = {}): Promise<Diagnosis> {
    const diagnosis = await this.diagnose(agent, options);
    const said = diagnosis.findings.map(({ id, severity, evidence }) => `${id} ${severity}: ${evidence}`).join('\n');
    assert.deepEqual(diagnosis.findings.map(({ id }) => id).sort(), [...ids].sort(), `${agent}:\n${said}`);
    for (const { evidence, remedy } of diagnosis.findings) {
      assert.ok(evidence !== '' && remedy !== '' && !`${evidence}${remedy}`.includes('\n'), 'one line each');
    }
    return diagnosis;
  }

  /** A discovery file of somebody else's, without our mark. */
  foreign(agent: AgentId, port: number, content: Record<string, unknown> = {}, folder?: string): string {
    const { workspace } = this.world;
    const name = { name: 'vendor', displayName: 'Vendor' };
    const common = { port, workspacePath: workspace, authToken: 'theirs', ideInfo: name };
    const [place, file, base] = {
      claude: [
        '.claude',
        `${port}.lock`,
        { pid: process.pid, workspaceFolders: [workspace], ideName: 'Vendor', transport: 'ws', authToken: 'theirs' },
      ],
      gemini: ['gemini', `gemini-ide-server-${process.pid}-${port}.json`, common],
      qwen: ['.qwen', `${port}.lock`, { ...common, ppid: process.pid }],
    }[agent] as [string, string, Record<string, unknown>];
    const parent = folder ?? join(agent === 'gemini' ? this.world.tmp : this.world.home, place);
    const all = { ...base, ...content };
    return this.write(
      join(parent, 'ide', file),
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    );
  }

  /** Another vendor's companion that answers: HTTP with this status, WebSocket with this subprotocol. */
  async vendor(status = 400, protocol: string | false = 'mcp'): Promise<number> {
    const server = createServer((_request, response) => response.writeHead(status).end('vendor'));
    const sockets = new WebSocketServer({ server, handleProtocols: () => protocol });
    this.#t.after(() => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
    });
    return this.listen(server);
  }

  /** A program that speaks, but not HTTP. */
  greeter(): Promise<number> {
    return this.listen(
      createTcpServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('220 mail.example ESMTP\r\n'),
      ),
    );
  }

  async listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#t.after(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
  }

  /** A port on which nobody listens: it was free a moment ago. */
  async closedPort(): Promise<number> {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  /** A real process that does nothing, under any name; ended after the test. */
  async process(options: { argv0?: string; cwd?: string; env?: Record<string, string> } = {}): Promise<ChildProcess> {
    const child = spawn('sleep', ['600'], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' }, ...options });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    this.#t.after(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    await until('the process to run', () => child.pid !== undefined && existsSync(`/proc/${child.pid}/cmdline`));
    return child;
  }

  /** The pid of a process that has ended. */
  async deadPid(): Promise<number> {
    const child = spawn('true');
    await new Promise((resolve) => child.on('exit', resolve));
    return child.pid ?? 0;
  }

  gone(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }
}
