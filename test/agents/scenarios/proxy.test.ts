// An editor whose companion somebody else wrote for Claude Code: behind the proxy every agent has it, and answers come from it.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ForeignCompanion } from '../../support/foreign-companion.ts';
import { agents } from '../agents.ts';
import type { Companion } from '../companion.ts';
import { type AgentName, agentNames } from '../paths.ts';
import { Shared } from '../scenario.ts';
import { Seat, World } from '../world.ts';

const text = 'one\ntwo\nthree\nfour\n';
const edit = { tool: 'edit', old: 'two', new: 'TWO' } as const;
const edited = text.replace('two', 'TWO');

class ProxyWorld extends World {
  protected override readonly serving = 'proxy';
  // Claude Code has the source as well, so it must be told whom to take.
  protected override readonly servingArgs = ['--with-claude'];
  readonly foreign = new ForeignCompanion({ home: this.sandbox.home, folders: [this.sandbox.workspace] });

  override async startCompanion(env: Record<string, string> = {}): Promise<Companion> {
    await this.foreign.start();
    return super.startCompanion(env);
  }

  async seatBehindProxy(name: AgentName): Promise<void> {
    const profile = {
      ...agents[name],
      environment: (model: Seat['model']) => ({
        ...agents[name].environment(model),
        ...(name === 'claude' ? { CLAUDE_CODE_SSE_PORT: String(this.companion.port) } : {}),
      }),
    };
    const seat = new Seat(profile, await profile.startModel(), this.sandbox);
    this.seats.push(seat);
    await this.startAgent(seat);
  }

  /** Waits for the diff in the foreign editor. */
  async shown(path: string, proposed: string): Promise<void> {
    await this.until(`a diff of ${path} in the foreign editor`, () =>
      this.foreign.diffs.some((diff) => diff.path === path && diff.text === proposed),
    );
  }

  override async end(): Promise<void> {
    await this.foreign.stop();
    await super.end();
  }

  override async discard(): Promise<void> {
    await this.foreign.stop();
    await super.discard();
  }
}

describe('proxy', { concurrency: 2 }, () => {
  for (const name of agentNames) describe(name, { concurrency: 1 }, () => behindProxy(name));
});

function behindProxy(name: AgentName): void {
  const shared = new Shared(async () => {
    const world = new ProxyWorld();
    try {
      await world.startCompanion();
      await world.seatBehindProxy(name);
      return world;
    } catch (error) {
      await world.discard();
      throw error;
    }
  });

  shared.scenario(`${name}'s edit is answered in another's editor`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('accept.txt', text);
    await seat.task('accept-it', [{ ...edit, path }]);
    await world.shown(path, edited);
    world.foreign.accept(path, `${edited}by the user\n`);
    await world.onDisk(path, `${edited}by the user\n`);
    await seat.finished('accept-it');

    const other = world.sandbox.write('reject.txt', text);
    await seat.task('reject-it', [{ ...edit, path: other }]);
    await world.shown(other, edited);
    world.foreign.reject(other);
    await seat.sawRejection(other);
    assert.equal(world.sandbox.read('reject.txt'), text);
  });

  shared.scenario(`${name}'s edit is answered in the terminal, and the other's editor closes it`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('terminal.txt', text);
    await seat.task('terminal-it', [{ ...edit, path }]);
    await world.shown(path, edited);
    await seat.agent.allowInTerminal();
    await world.onDisk(path, edited);
    await world.until('the foreign editor to close it', () => world.foreign.diffs.length === 0);
    await seat.finished('terminal-it');
  });

  shared.scenario(`${name}'s model sees what is selected in another's editor`, async (world) => {
    const seat = world.seat();
    const [other, active] = [world.sandbox.write('other.txt', text), world.sandbox.write('active.txt', text)];
    world.foreign.tabs = [{ path: other }, { path: active, active: true }];
    world.foreign.select(active, 'two\nth', { line: 1, character: 0 }, { line: 2, character: 2 });
    await seat.knowsContext();
    const seen = await seat.ask('see-context');
    for (const part of seat.profile.selection(active, 'two\nth')) assert.ok(seen.includes(part), seen);
  });

  shared.ends(`[ALL-5] nothing is left after ${name} was behind the proxy`);
}
