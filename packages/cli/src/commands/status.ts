import { parse, parsePort } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { CommandError } from '../errors.ts';
import { clock, paint, printable, printJson, shortPath, table } from '../print.ts';
import { untilLeft, watch } from '../watch.ts';

interface Status {
  readonly pid: number;
  readonly port: number;
  readonly editor: string;
  readonly workspaceFolders: readonly string[];
  readonly sharing: string;
  readonly dialects: readonly { agent: string; files: readonly string[]; error?: string }[];
  readonly links: readonly {
    id: string;
    name: string;
    version?: string;
    pid?: number;
    since: string;
    lastError?: string;
  }[];
  readonly reviews: number;
}

const OPTIONS = { watch: { type: 'boolean', default: false } } as const;

export async function status(args: string[]): Promise<number> {
  const { values } = parse('status', args, OPTIONS, 0);
  const port = parsePort('status', values.port);
  const look = async () => ask<Status>(await findCompanion(port), 'status', {}, AbortSignal.timeout(ANSWER_MS));
  if (!values.watch) {
    const state = await look();
    if (values.json) printJson(state);
    else console.log(text(state));
    return 0;
  }
  await watch(untilLeft(), async () => {
    try {
      const state = await look();
      return values.json ? JSON.stringify(state) : text(state);
    } catch (error) {
      // It may stop and come back while we watch.
      if (!(error instanceof CommandError)) throw error;
      return values.json ? JSON.stringify({ error: error.message }) : `${paint('yellow', printable(error.message))}\n`;
    }
  });
  return 0;
}

const ANSWER_MS = 5_000;

function text(state: Status): string {
  const lines = [
    `${paint('bold', printable(state.editor))} serves ${state.workspaceFolders.map(printable).join(', ')}`,
    paint('dim', `pid ${state.pid}, port ${state.port}, sharing ${state.sharing}\n`),
    table(
      state.dialects.map((each) => [
        `  ${each.agent}`,
        each.error ? paint('red', `not published: ${printable(each.error)}`) : shortPath(each.files[0] ?? ''),
      ]),
    ),
    state.links.length === 0 ? '\nNo agent is connected.' : '\nConnected:',
    table(
      state.links.map((link) => [
        `  ${link.name}${link.version ? ` ${printable(link.version)}` : ''}`,
        link.pid === undefined ? '' : `pid ${link.pid}`,
        `since ${clock(new Date(link.since))}`,
        link.id,
        link.lastError ? paint('red', printable(link.lastError)) : '',
      ]),
    ),
    ...(state.reviews > 0 ? [`\n${state.reviews} waiting: tandem review list`] : []),
  ];
  return lines.join('\n');
}
