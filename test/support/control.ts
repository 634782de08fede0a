import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Reply, send } from './http-agent.ts';

export interface Control {
  readonly port: number;
  readonly token: string;
  ask(verb: string, input?: unknown): Promise<Reply>;
}

/** The control endpoint of the companion on `port`, found as the `tandem` command finds it: by its record in HOME. */
export function controlOf(home: string, port: number): Control {
  const folder = join(home, '.tandem', 'run');
  const name = readdirSync(folder).find((each) => each.endsWith(`-${port}.json`));
  const record = name === undefined ? undefined : JSON.parse(readFileSync(join(folder, name), 'utf8'));
  if (!record) throw new Error(`no record of a companion on port ${port}`);
  return {
    port,
    token: record.controlToken,
    ask: (verb, input = {}) =>
      send(port, {
        path: `/control/${verb}`,
        headers: { authorization: `Bearer ${record.controlToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }),
  };
}
