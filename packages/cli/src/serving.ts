import { appendFileSync, fstatSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import {
  Companion,
  contains,
  DIALECTS,
  type Editor,
  Policy,
  Registry,
  resolveFolders,
  SHARING,
  type Sharing,
  type WireEntry,
} from '@tandem/core';
import { type parse, parsePort, usage } from './arguments.ts';
import { CommandError } from './errors.ts';
import { JsonReporter, type Reporter, TextReporter } from './reporter.ts';

/** What every command that runs a companion understands. */
export const SERVING_OPTIONS = {
  name: { type: 'string', default: 'Tandem' },
  'no-agent': { type: 'string', multiple: true, default: [] as string[] },
  share: { type: 'string', default: 'auto' },
  deny: { type: 'string', multiple: true, default: [] as string[] },
  'no-handover': { type: 'boolean', default: false },
} as const;

export type ServingArguments = ReturnType<typeof parse<typeof SERVING_OPTIONS>>;

/** Something beside the companion that starts after it and stops before it. */
export interface Face {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What `ready` says of it. */
  readonly address?: string;
  /** Resolves when it cannot go on, with the reason. */
  readonly ended?: Promise<Error | undefined>;
}

const STOP_MS = 5_000;

export function foldersFrom(positionals: readonly string[]): readonly string[] {
  const folders = positionals.length > 0 ? positionals.map((folder) => resolve(folder)) : [process.cwd()];
  for (const folder of folders) checkFolder(folder);
  return folders;
}

/** Runs a companion for `makeEditor`'s editor until somebody asks it to stop. */
export async function serveUntilAsked<E extends Editor>(
  command: string,
  { values, positionals }: ServingArguments,
  makeEditor: (folders: readonly string[], reporter: Reporter) => E,
  makeFace?: (companion: Companion, editor: E) => Face,
): Promise<number> {
  const folders = foldersFrom(positionals);
  const reporter = values.json ? new JsonReporter() : new TextReporter();
  const wireLog = process.env.TANDEM_WIRE_LOG;
  const editor = makeEditor(folders, reporter);
  const companion = new Companion({
    editor,
    dialects: chosen(command, values['no-agent']),
    port: parsePort(command, values.port) ?? 0,
    policy: new Policy({ sharing: sharing(command, values.share), deny: values.deny }),
    handsOver: !values['no-handover'],
    log: (level, message) => level !== 'debug' && reporter.log(level, message),
    ...(wireLog ? { wire: (entry: WireEntry) => record(wireLog, entry) } : {}),
  });
  await warnOfOthers(resolveFolders(folders).real, reporter);
  return run(companion, reporter, () => makeFace?.(companion, editor));
}

async function run(companion: Companion, reporter: Reporter, makeFace: () => Face | undefined): Promise<number> {
  const ended = untilAsked();
  reporter.follow(companion);
  try {
    await companion.start();
  } catch (error) {
    await companion.stop();
    throw startError(error as NodeJS.ErrnoException);
  }
  const face = makeFace();
  await face?.start();
  reporter.ready(companion, face?.address);
  const failure = await Promise.race([ended, face?.ended ?? ended]);
  // Whatever hangs must not keep a process that was asked to go.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await face?.stop();
  await companion.stop();
  reporter.stopped();
  if (failure) throw failure;
  return 0;
}

/** Resolves when the companion should stop; with an error if it must. A second signal does not wait. */
function untilAsked(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(130);
      asked = true;
      resolve(undefined);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    process.stdout.on('error', () => resolve(undefined)); // whoever read our events is gone
    process.once('uncaughtException', resolve); // a second one ends the process
    onParentGone(() => resolve(undefined));
  });
}

/** A parent that holds our standard input open and lets go has ended. Input that was never open says nothing. */
function onParentGone(gone: () => void): void {
  const kind = stdinKind();
  if (kind !== 'pipe') return;
  const begun = Date.now();
  let spoke = false; // a parent that wrote something was there, however short its life
  process.stdin.on('data', () => {
    spoke = true;
  });
  process.stdin.on('end', () => (spoke || Date.now() - begun > 1000) && gone());
  process.stdin.on('error', () => {});
  process.stdin.resume();
  (process.stdin as NodeJS.ReadStream & { unref?: () => void }).unref?.();
}

function stdinKind(): 'pipe' | 'other' {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket() ? 'pipe' : 'other';
  } catch {
    return 'other';
  }
}

function startError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new CommandError(1, `the port is taken: ${error.message}`, 'leave out --port to use a free one');
  }
  if (error.code === 'EACCES') {
    return new CommandError(1, `the port may not be used: ${error.message}`, 'leave out --port to use a free one');
  }
  return error;
}

async function warnOfOthers(folders: readonly string[], reporter: Reporter): Promise<void> {
  const living = await new Registry({ home: homedir(), tmp: tmpdir(), env: process.env }).living();
  for (const other of living) {
    if (!other.workspaceFolders.some((folder) => contains(folders, folder) || contains([folder], folders[0] ?? '')))
      continue;
    const who = `${other.editor.displayName} (pid ${other.pid}) serves ${other.workspaceFolders.join(', ')} as well`;
    reporter.notice({ level: 'warning', message: `${who}; agents may choose either or neither` });
  }
}

function checkFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) throw new CommandError(2, `${folder} does not exist`, 'tandem help serve');
  if (!stat.isDirectory()) throw new CommandError(2, `${folder} is not a folder`, 'tandem help serve');
}

function chosen(command: string, left: readonly string[]) {
  const known = DIALECTS.map((dialect) => dialect.id);
  for (const id of left) {
    if (!known.includes(id)) throw usage(command, `--no-agent: "${id}" is none of ${known.join(', ')}`);
  }
  return DIALECTS.filter((dialect) => !left.includes(dialect.id));
}

function sharing(command: string, text: string): Sharing {
  const found = SHARING.find((each) => each === text);
  if (!found) throw usage(command, `--share: "${text}" is none of ${SHARING.join(', ')}`);
  return found;
}

/** For golden captures and bug reports. */
function record(file: string, entry: WireEntry): void {
  const { dialect, link, direction, message } = entry;
  appendFileSync(file, `${JSON.stringify({ t: Date.now(), dialect, link, dir: direction, message })}\n`, {
    mode: 0o600,
  });
}
