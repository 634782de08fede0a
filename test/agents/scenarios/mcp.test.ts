// The editor's tools over MCP: agents whose own protocol has no diagnostics get a real one of a real language server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { installLanguageServers, SERVER_PATH } from '../../browser/support/install-language-servers.ts';
import { type AgentProfile, agents } from '../agents.ts';
import type { Companion } from '../companion.ts';
import { tandemJs, tandemNode } from '../paths.ts';
import { Shared } from '../scenario.ts';
import { pause } from '../wait.ts';
import { Seat, World } from '../world.ts';

const broken = 'const text = "a";\nexport const count: number = text;\n';
const mended = 'const text = 1;\nexport const count: number = text;\n';
const complaint = "2:14: error: Type 'string' is not assignable to type 'number'. [2322] (typescript)";

/** How each names a tool of the server `tandem`, and how it asks whether it may call it, "once" being the first choice. */
const ways = {
  gemini: { tool: (name: string) => `mcp_tandem_${name}`, asks: /Allow execution of MCP tool|Allow once/ },
  qwen: { tool: (name: string) => `mcp__tandem__${name}`, asks: /Yes, allow once|Allow execution of MCP tool/ },
} as const;

class WorkbenchWorld extends World {
  protected override readonly serving = 'workbench';

  override startCompanion(): Promise<Companion> {
    return super.startCompanion({ PATH: [...SERVER_PATH, this.sandbox.env.PATH].join(':') });
  }
}

before(installLanguageServers);

describe('mcp', { concurrency: 1 }, () => {
  for (const name of ['gemini', 'qwen'] as const) describe(name, { concurrency: 1 }, () => mcp(name));
});

/** Settles in as always, and registers our server as a user would. */
function registered(profile: AgentProfile): AgentProfile {
  return {
    ...profile,
    settle(sandbox) {
      profile.settle(sandbox);
      const command = [tandemJs, 'mcp', 'register', profile.name, '--yes'];
      execFileSync(tandemNode, command, { cwd: sandbox.workspace, env: sandbox.env });
    },
  };
}

function mcp(name: 'gemini' | 'qwen'): void {
  const way = ways[name];
  const shared = new Shared(async () => {
    const world = new WorkbenchWorld();
    try {
      await world.startCompanion();
      const profile = registered(agents[name]);
      const seat = new Seat(profile, await profile.startModel(), world.sandbox);
      world.seats.push(seat);
      await world.startAgent(seat);
      const guest = async () => (await world.companion.links()).some((link) => link.agent === 'mcp');
      await world.until('its MCP client to attach', guest, 30_000);
      return world;
    } catch (error) {
      await world.discard();
      throw error;
    }
  });

  shared.scenario(`${name} calls the diagnostics tool and its model reads a real diagnostic`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('count.ts', broken);
    await world.companion.cli('open', 'count.ts');
    const known = async () => (await diagnostics(world)).includes(complaint);
    await world.until('the language server to complain', known, 60_000);
    await seat.task('diagnose-it', [{ tool: 'named', name: way.tool('get_diagnostics'), input: { path } }]);
    await allow(seat, way.asks);
    const ms = await answered(seat, 'diagnose-it');
    console.log(`${name}: ${ms} ms from the user's yes until its model has the diagnostic`);
    await seat.finished('diagnose-it');
    assert.ok(seat.verdict('diagnose-it').includes(complaint), seat.verdict('diagnose-it'));
    const ledger = await world.companion.cli('ledger', '--json');
    assert.ok(ledger.includes('"agent":"mcp"') && ledger.includes('"what":"diagnostics"'), ledger);
  });

  shared.scenario(`${name} shows a diff over MCP and its model reads the decision`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('diff.ts', broken);
    await seat.task('diff-it', [{ tool: 'named', name: way.tool('show_diff'), input: { path, text: mended } }]);
    await allow(seat, way.asks);
    const review = await world.companion.review(path, 'mcp');
    await world.companion.accept(review, `${mended}// by the user\n`);
    await seat.finished('diff-it');
    assert.match(seat.verdict('diff-it'), /Accepted with changes by the user/);
    assert.match(seat.verdict('diff-it'), /by the user/);
    assert.equal(world.sandbox.read('diff.ts'), broken, 'the agent writes, not we');
  });

  shared.ends(`[ALL-5] nothing is left after ${name} used the editor's tools`);
}

async function allow(seat: Seat, asks: RegExp): Promise<void> {
  await seat.agent.waitForVisible(asks);
  await pause('promptDrawn');
  await seat.agent.press('Enter');
}

/** Milliseconds until the model is asked again, with the tool's answer. */
async function answered(seat: Seat, keyword: string): Promise<number> {
  const begun = performance.now();
  while (seat.model.mainRequests(keyword).length < 2 && performance.now() - begun < 10_000) await setTimeout(2);
  return Math.round(performance.now() - begun);
}

/** What the tool says, asked by a client of our own. */
async function diagnostics(world: World): Promise<string> {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new Client({ name: 'probe', version: '1' }, { capabilities: {} });
  const transport = new StdioClientTransport({
    command: tandemNode,
    args: [tandemJs, 'mcp'],
    cwd: world.sandbox.workspace,
    env: world.sandbox.env,
  });
  await client.connect(transport);
  try {
    const { content } = await client.callTool({ name: 'get_diagnostics', arguments: {} });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  } finally {
    await client.close();
  }
}
