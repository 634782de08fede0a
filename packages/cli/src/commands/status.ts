import { parse, parsePort } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { clock, paint, printable, printJson, shortPath, table } from '../print.ts';

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

export async function status(args: string[]): Promise<number> {
  const { values } = parse('status', args, {}, 0);
  const state = await ask<Status>(await findCompanion(parsePort('status', values.port)), 'status');
  if (values.json) {
    printJson(state);
    return 0;
  }
  console.log(`${paint('bold', printable(state.editor))} serves ${state.workspaceFolders.map(printable).join(', ')}`);
  console.log(paint('dim', `pid ${state.pid}, port ${state.port}, sharing ${state.sharing}\n`));
  console.log(
    table(
      state.dialects.map((each) => [
        `  ${each.agent}`,
        each.error ? paint('red', `not published: ${printable(each.error)}`) : shortPath(each.files[0] ?? ''),
      ]),
    ),
  );
  console.log(state.links.length === 0 ? '\nNo agent is connected.' : '\nConnected:');
  console.log(
    table(
      state.links.map((link) => [
        `  ${link.name}${link.version ? ` ${printable(link.version)}` : ''}`,
        link.pid === undefined ? '' : `pid ${link.pid}`,
        `since ${clock(new Date(link.since))}`,
        link.id,
        link.lastError ? paint('red', printable(link.lastError)) : '',
      ]),
    ),
  );
  if (state.reviews > 0) console.log(`\n${state.reviews} waiting: tandem review list`);
  return 0;
}
