#!/usr/bin/env node
import { CommandError } from './errors.ts';
import { help } from './help.ts';
import { complain } from './print.ts';

type Command = (args: string[]) => Promise<number>;

/** Each command loads only what it needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  workbench: async () => (await import('./commands/workbench.ts')).workbench,
  serve: async () => (await import('./commands/serve.ts')).serve,
  status: async () => (await import('./commands/status.ts')).status,
  review: async () => (await import('./commands/review.ts')).review,
  open: async () => (await import('./commands/open.ts')).open,
  select: async () => (await import('./commands/open.ts')).select,
  send: async () => (await import('./commands/send.ts')).send,
  share: async () => (await import('./commands/share.ts')).share,
  env: async () => (await import('./commands/env.ts')).env,
  ledger: async () => (await import('./commands/ledger.ts')).ledger,
  proxy: async () => (await import('./commands/proxy.ts')).proxy,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  run: async () => (await import('./commands/run.ts')).run,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  install: async () => (await import('./commands/install.ts')).install,
  uninstall: async () => (await import('./commands/uninstall.ts')).uninstall,
  completion: async () => (await import('./commands/completion.ts')).completion,
};

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v') {
    const { VERSION } = await import('./version.ts');
    console.log(VERSION);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help(args[0]));
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    complain(`there is no command "${name}"`, 'tandem --help lists them');
    return 2;
  }
  // What follows an agent's name is the agent's.
  if (name !== 'run' && (args.includes('--help') || args.includes('-h'))) {
    console.log(help(name));
    return 0;
  }
  return (await load())(args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  complain(error.message, error.hint);
  process.exitCode = error.exitCode;
}
