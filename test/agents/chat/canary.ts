// Looks for secrets where they must not be.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Sandbox } from '../sandbox.ts';
import { MODEL_KEY } from './qwen-home.ts';
import { type ChatWorld, DAEMON_TOKEN, type Daemon } from './world.ts';

export interface Canary {
  readonly name: string;
  readonly secret: string;
}

export function canariesOf(world: ChatWorld, daemons: readonly Daemon[]): Canary[] {
  return [
    { name: "the daemon's token", secret: DAEMON_TOKEN },
    ...daemons.map(({ port }) => ({ name: "the daemon's address", secret: `127.0.0.1:${port}` })),
    { name: "the model's address", secret: `127.0.0.1:${world.model.port}` },
    { name: "the model's key", secret: MODEL_KEY },
    { name: "the model's masked key", secret: `...${MODEL_KEY.slice(-4)}` },
  ];
}

export function assertAbsent(canaries: readonly Canary[], where: string, text: string): void {
  for (const { name, secret } of canaries) {
    const at = text.indexOf(secret);
    assert.equal(at, -1, `${name} stands in ${where}: …${text.slice(Math.max(0, at - 80), at + 80)}…`);
  }
}

/** The arguments of everything that runs in a sandbox: the whole machine can read them. */
export function argumentsIn(sandbox: Sandbox): string {
  return sandbox
    .processes()
    .map(({ pid }) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // it is gone
      }
    })
    .join('\n');
}

export function environmentOf(pid: number, name: string): string | undefined {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}
