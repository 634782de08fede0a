import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CommandError } from '../errors.ts';

/** Those that somebody may send to us and mean for the agent. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/** A terminal sends these to everybody in the foreground, so the agent has them already. */
const KEYS = ['SIGINT', 'SIGQUIT'] as const;

/** Runs the command in our place: same terminal, same arguments, its exit code, 128 + n after signal n. */
export function runInPlace(program: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  const [command, commandArgs, options] = commandLine(program, args);
  const fromTerminal = process.stdin.isTTY === true;
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  const ignore = () => {};
  // Before the agent is there: a signal that came in between would end us alone.
  for (const signal of FORWARDED) process.on(signal, pass);
  for (const signal of KEYS) process.on(signal, fromTerminal ? ignore : pass);
  const child = spawn(command, commandArgs, { stdio: 'inherit', env, ...options });
  return new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(1, `${program} cannot be started: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => {
    for (const signal of FORWARDED) process.off(signal, pass);
    for (const signal of KEYS) process.off(signal, fromTerminal ? ignore : pass);
  });
}

/** npm installs commands on Windows as .cmd files, which only cmd.exe runs; it wants its own quoting. */
function commandLine(
  program: string,
  args: readonly string[],
): [string, readonly string[], { windowsVerbatimArguments?: true }] {
  if (process.platform !== 'win32' || !/\.(cmd|bat)$/i.test(program)) return [program, args, {}];
  const quoted = [program, ...args].map((each) => `"${each.replaceAll('"', '""')}"`.replace(/[%^&|<>!]/g, '^$&'));
  const shell = process.env.ComSpec ?? 'cmd.exe';
  return [shell, ['/d', '/s', '/c', `"${quoted.join(' ')}"`], { windowsVerbatimArguments: true }];
}
