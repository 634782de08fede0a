import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { type CompanionRecord, contains, Registry } from '@tandem/core';
import { ask } from '../control-client.ts';
import { CommandError } from '../errors.ts';

/** By dialect: the variables that lead an agent there. */
export type Environments = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The companion that a run is linked to. */
export interface Linked {
  readonly port: number;
  readonly environments: Environments;
  /** A page that was started for this run. */
  readonly url?: string;
  /** For the person who started the run, if there is something to know about the choice. */
  readonly note?: string;
  /** Ends it, if it was started for this run. */
  stop(): Promise<void>;
}

export const FACES = ['workbench', 'serve'] as const;
export type FaceName = (typeof FACES)[number];

const START_MS = 15_000;

/** The companion of the innermost served folder; where several serve it, the one that was started last. */
export async function findLinked(port: number | undefined): Promise<Linked | undefined> {
  const living = await new Registry({ home: homedir(), tmp: tmpdir(), env: process.env }).living();
  const found = port === undefined ? innermost(living) : living.filter((record) => record.port === port);
  const record = found.at(-1);
  if (!record) {
    if (port !== undefined) throw new CommandError(3, `no companion listens on port ${port}`);
    return undefined;
  }
  const all = await ask<readonly { dialect: string; environment: Record<string, string> }[]>(record, 'environment');
  const others = found.filter((each) => each !== record);
  return {
    port: record.port,
    environments: Object.fromEntries(all.map((each) => [each.dialect, each.environment])),
    ...(others.length > 0 ? { note: chose(record, others) } : {}),
    stop: async () => {},
  };
}

function innermost(living: readonly CompanionRecord[]): readonly CompanionRecord[] {
  const cwd = realpathSync(process.cwd());
  const depth = ({ workspaceFolders }: CompanionRecord) =>
    Math.max(0, ...workspaceFolders.filter((folder) => contains([folder], cwd)).map((folder) => folder.length));
  const deepest = Math.max(0, ...living.map(depth));
  return deepest === 0 ? [] : living.filter((record) => depth(record) === deepest);
}

function chose(record: CompanionRecord, others: readonly CompanionRecord[]): string {
  const name = (each: CompanionRecord) => `${each.editor.displayName} (--port ${each.port})`;
  return `${others.length + 1} companions serve this folder; linked to the newest, ${name(record)}; also there: ${others.map(name).join(', ')}`;
}

/** A companion of our own, in a session of its own: keys pressed in the agent's terminal are not for it. */
export async function startLinked(face: FaceName): Promise<Linked> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', face, '--json', '--no-handover'], {
    // That its input ends tells the companion that we are gone, also after a kill -9.
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  child.stdin.write('\n'); // so that it knows that somebody was there
  const ready = await firstEvent(child);
  const dialects = ready.dialects as readonly { dialect: string; environment: Record<string, string> }[];
  return {
    port: ready.port as number,
    environments: Object.fromEntries(dialects.map((each) => [each.dialect, each.environment])),
    ...(typeof ready.url === 'string' ? { url: ready.url } : {}),
    stop: () => end(child),
  };
}

function firstEvent(child: ChildProcess): Promise<Record<string, unknown>> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000);
  });
  return new Promise((resolve, reject) => {
    const failed = (why: string) => {
      child.kill('SIGKILL');
      reject(new CommandError(1, `the companion could not be started: ${why.trim()}`));
    };
    const timer = setTimeout(() => failed(`it was not ready within ${START_MS / 1000} s`), START_MS);
    child.once('error', (error) => failed(error.message));
    child.once('exit', (code) => failed(complaint || `it ended with ${code}`));
    // Read to the end, so that it never waits for us.
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (!line.startsWith('{"event":"ready"')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(JSON.parse(line));
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
