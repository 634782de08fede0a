import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Bundles, dist, userNode } from '../bundles.ts';
import { startHost } from '../children.ts';
import type { Row } from '../rows.ts';
import { interleave, median, quantile } from '../stats.ts';
import type { World } from '../subject.ts';
import { newWorld } from '../worlds.ts';

interface Subject {
  readonly name: 'ours' | 'floor';
  readonly args: readonly string[];
}

/** `tandem mcp` as an agent runs it: how long a question about diagnostics takes, and how long the first one from nothing. */
export async function mcp(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const world = newWorld(bundles.core);
  const { child } = await startHost(bundles.host, bundles.tandem, world);
  const subjects: readonly Subject[] = [
    { name: 'ours', args: [join(dist, 'tandem.js'), 'mcp'] },
    { name: 'floor', args: [bundles.floorMcp] },
  ];
  try {
    const first: Record<Subject['name'], number[]> = { ours: [], floor: [] };
    const starts = quick ? 4 : 12;
    await interleave(
      starts,
      ...subjects.map((subject) => async () => {
        const begun = performance.now();
        const client = await open(subject, world);
        await ask(client);
        first[subject.name].push(performance.now() - begun);
        await client.close();
      }),
    );
    const again: Record<Subject['name'], number[]> = { ours: [], floor: [] };
    const rounds = quick ? 100 : 500;
    const clients = await Promise.all(subjects.map((subject) => open(subject, world)));
    await interleave(
      rounds,
      ...subjects.map(({ name }, index) => async () => {
        const begun = performance.now();
        await ask(clients[index] as Client);
        again[name].push(performance.now() - begun);
      }),
    );
    await Promise.all(clients.map((client) => client.close()));
    return [
      row('mcp-diagnostics', 'MCP: a question about diagnostics, p50', again, rounds),
      row('mcp-first', 'MCP: from nothing to the first answer', first, starts),
    ];
  } finally {
    await child.end();
  }
}

async function open({ args }: Subject, world: World): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} });
  const env = { PATH: process.env.PATH ?? '', HOME: world.home, TMPDIR: world.tmp };
  await client.connect(new StdioClientTransport({ command: userNode, args: [...args], cwd: world.workspace, env }));
  return client;
}

async function ask(client: Client): Promise<void> {
  const { isError, content } = await client.callTool({ name: 'get_diagnostics', arguments: {} });
  if (isError) throw new Error(JSON.stringify(content));
}

function row(id: string, measure: string, series: Record<Subject['name'], number[]>, samples: number): Row {
  return {
    id,
    measure,
    unit: 'ms',
    ours: median(series.ours),
    floor: median(series.floor),
    samples,
    note: `p95 ours ${quantile(series.ours, 0.95).toFixed(1)}, floor ${quantile(series.floor, 0.95).toFixed(1)} ms`,
  };
}
