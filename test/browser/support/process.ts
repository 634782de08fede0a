import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Message } from '../../support/http-agent.ts';
import { until, type World } from '../../support/world.ts';
import { DIST } from './browser.ts';

const NODE = process.env.TANDEM_NODE ?? process.execPath;

export interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly ended: Promise<unknown>;
  token(dialect: string): string;
}

/** `tandem workbench --json` in the world's workspace; ended after the test. */
export async function serveWorkbench(t: TestContext, world: World): Promise<Serving> {
  const child = spawn(NODE, [join(DIST, 'tandem.js'), 'workbench', '--json'], {
    cwd: world.workspace,
    env: { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const line = await until(`the workbench: ${output}`, () => /^\{"event":"ready".*$/m.exec(output)?.[0], 10_000);
  const ready: Message = JSON.parse(line);
  return {
    child,
    url: ready.url,
    port: ready.port,
    ended,
    token: (dialect) => {
      const { discoveryFile } = ready.dialects.find((each: Message) => each.dialect === dialect);
      return JSON.parse(readFileSync(discoveryFile, 'utf8')).authToken;
    },
  };
}
