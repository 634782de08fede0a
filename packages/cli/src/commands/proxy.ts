import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { type ClaudeLink, ConnectError, connect } from '@tandem/client';
import { isAlive } from '@tandem/core';
import { parse, parsePort } from '../arguments.ts';
import { CommandError } from '../errors.ts';
import { PathMap } from '../proxy/path-map.ts';
import { ProxyEditor } from '../proxy/proxy-editor.ts';
import { endpointsOf, findSource, type Source, type Wanted } from '../proxy/source.ts';
import { SERVING_OPTIONS, serveUntilAsked } from '../serving.ts';
import { VERSION } from '../version.ts';

/** How long the source may be away: an editor that reloads its window takes some seconds. */
const AWAY_MS = 20_000;

const OPTIONS = {
  ...SERVING_OPTIONS,
  name: { type: 'string', default: '' },
  lock: { type: 'string' },
  map: { type: 'string', multiple: true, default: [] as string[] },
  listen: { type: 'string' },
  'with-claude': { type: 'boolean', default: false },
} as const;

export async function proxy(args: string[]): Promise<number> {
  const { values } = parse('proxy', args, OPTIONS, 0);
  const paths = PathMap.parse(values.map);
  const wanted: Wanted = {
    home: homedir(),
    env: process.env,
    cwd: realpathSync(process.cwd()),
    paths,
    port: parsePort('proxy', values.port),
    lock: values.lock,
  };
  const source = findSource(wanted);
  const link = await open(source, wanted);
  const folders = (await foldersOf(source, link)).map((folder) => paths.toLocal(folder));
  // Claude Code finds the source by itself, and takes neither where two fit.
  const left = values['with-claude'] ? values['no-agent'] : [...values['no-agent'], 'claude'];
  const displayName = values.name || source.name;
  const pid = source.pid !== undefined && isAlive(source.pid) ? source.pid : process.pid;
  const { json, share, deny, listen, 'no-handover': noHandover } = values;
  const port = listen === undefined ? {} : { port: listen }; // ours; --port is the source's
  const serving = { json, share, deny, name: displayName, 'no-agent': left, 'no-handover': noHandover, ...port };
  try {
    return await serveUntilAsked(
      'proxy',
      { values: serving, positionals: folders },
      (local, reporter) => {
        const info = { name: 'proxy', displayName, pid };
        link.on('state', (state) => {
          if (state === 'reconnecting') reporter.notice({ level: 'warning', message: `${source.name} is away` });
          if (state === 'connected') reporter.notice({ level: 'info', message: `${source.name} is back` });
        });
        return new ProxyEditor(link, { info, folders: local, paths, tell: (notice) => reporter.notice(notice) });
      },
      () => ({ start: async () => {}, stop: async () => {}, ended: gone(link, source) }),
    );
  } finally {
    await link.close();
  }
}

async function open(source: Source, wanted: Wanted): Promise<ClaudeLink> {
  const agent = { name: 'tandem', title: 'Tandem', version: VERSION };
  try {
    return await connect(
      { dialect: 'claude', find: () => endpointsOf(source, wanted) },
      { agent, reconnect: { giveUpMs: AWAY_MS } },
    );
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    throw new CommandError(1, `${source.name}: ${error.message}`, `its lock is ${source.file}`);
  }
}

/** Resolves when the source is gone for good. */
function gone(link: ClaudeLink, source: Source): Promise<Error> {
  return new Promise((resolve) => {
    link.once('gone', ({ message }) => resolve(new CommandError(1, `${source.name} is gone: ${message}`)));
  });
}

async function foldersOf(source: Source, link: ClaudeLink): Promise<readonly string[]> {
  if (source.folders.length > 0) return source.folders;
  return link.workspaceFolders().catch(() => []);
}
