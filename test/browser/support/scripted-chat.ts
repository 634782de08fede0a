import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import {
  applyAll,
  type ChatCommand,
  type ChatEvent,
  type ConnectionCapabilities,
  type Conversation,
  EMPTY,
  type KeptChat,
} from '../../../packages/chat/src/view.ts';
import { Chats } from '../../../packages/cli/src/workbench/chats.ts';
import type { HostedChat } from '../../../packages/ui/src/chat/hub.ts';
import type { AgentOffer } from '../../../packages/ui/src/chat/protocol.ts';
import { until } from '../../support/world.ts';
import { Bench, type BenchOptions } from './bench.ts';

export const SCRIPTED_CAPABILITIES: ConnectionCapabilities = {
  load: true,
  resume: true,
  list: true,
  rename: true,
  images: true,
  embedded: true,
  models: true,
  modes: true,
  continueTurn: true,
  shared: false,
};

export const SCRIPTED_AGENTS: readonly AgentOffer[] = [
  { id: 'alpha', name: 'Alpha', command: '/opt/alpha --acp', installed: true },
  { id: 'beta', name: 'Beta', command: '/opt/beta --acp', installed: true },
  { id: 'gone', name: 'Gone', command: 'gone --acp', installed: false, hint: 'npm install -g gone' },
];

/** A conversation whose agent is the test: for states that a real one hardly ever gets into. */
export class ScriptedChat implements HostedChat {
  readonly id: string;
  readonly agent: AgentOffer;
  conversation: Conversation = EMPTY;
  readonly asked: ChatCommand[] = [];
  started: { session?: string } | undefined;
  stopped = false;
  capabilities: ConnectionCapabilities = SCRIPTED_CAPABILITIES;
  /** Answers to commands, by their name; an error refuses. */
  readonly answers: Partial<Record<ChatCommand['do'], unknown>> = {};
  readonly #listeners = new Set<(event: ChatEvent) => void>();

  constructor(agent: AgentOffer, count: number, kept?: KeptChat) {
    this.agent = agent;
    this.id = kept?.id ?? `${agent.id}-${count}`;
    if (kept) this.emit({ type: 'kept', items: kept.items });
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(options: { session?: string } = {}): Promise<void> {
    this.started = options;
    this.emit({ type: 'connection', state: { status: 'starting' } });
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  async perform(command: ChatCommand): Promise<unknown> {
    this.asked.push(command);
    const answer = this.answers[command.do] ?? null;
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(command) : answer;
  }

  emit(...events: ChatEvent[]): void {
    for (const event of events) {
      this.conversation = applyAll(this.conversation, [event]);
      for (const listener of this.#listeners) listener(event);
    }
  }

  connect(): void {
    const { id, name } = this.agent;
    this.emit(
      { type: 'connection', state: { status: 'connected' } },
      {
        type: 'session',
        session: { id: `session-${this.id}`, cwd: '/ws', agent: { id, name, version: '1.2.3', via: 'acp' } },
      },
    );
  }

  /** One whole turn, as an agent would tell it. */
  turn(prompt: string, answer: string): void {
    const promptId = `p${this.asked.length}-${this.conversation.count}`;
    this.emit(
      { type: 'message', role: 'user', text: prompt, promptId },
      { type: 'turn-start', promptId },
      { type: 'message', role: 'agent', text: answer },
      { type: 'turn-end', promptId, reason: 'end_turn' },
    );
  }

  commands<Name extends ChatCommand['do']>(name: Name): (ChatCommand & { do: Name })[] {
    return this.asked.filter((command): command is ChatCommand & { do: Name } => command.do === name);
  }
}

/** A workbench whose agents are scripted. */
export async function scriptedBench(
  t: TestContext,
  options: Pick<BenchOptions, 'files' | 'world'> = {},
): Promise<{ bench: Bench; chats: ScriptedChat[] }> {
  const made: ScriptedChat[] = [];
  const bench = await Bench.start(t, {
    ...options,
    chats: (companion, world) =>
      new Chats(
        companion,
        { home: world.home, tmp: world.tmp, env: {} },
        {
          agents: async () => SCRIPTED_AGENTS,
          connect: async (id, kept) => {
            const agent = SCRIPTED_AGENTS.find((each) => each.id === id);
            if (!agent) throw new Error(`there is no agent ${id}`);
            const chat = new ScriptedChat(agent, made.length + 1, kept);
            made.push(chat);
            return { chat, capabilities: () => chat.capabilities };
          },
        },
      ),
  });
  return { bench, chats: made };
}

export const panel = (page: Page) => page.getByRole('complementary', { name: 'Chat' });
export const field = (page: Page) => panel(page).getByRole('textbox', { name: /^Message to / });
export const log = (page: Page) => panel(page).getByRole('log');
export const asks = (page: Page) => panel(page).getByRole('region', { name: /^(Permission|Question)$/ });

/** By keyboard to the agents, and one of them is started. */
export async function startAgent(page: Page, name: string): Promise<void> {
  if ((await panel(page).count()) === 0) await page.keyboard.press('Alt+6');
  const another = panel(page).getByRole('button', { name: 'New conversation' });
  const offer = panel(page).getByRole('button', { name: `Start ${name}` });
  await another.or(offer).first().waitFor();
  if (await another.count()) await another.click();
  await offer.click();
  await field(page).waitFor();
}

/** A scripted conversation that is connected and in front; its agent can do everything but what `cannot` says. */
export async function talk(
  page: Page,
  chats: ScriptedChat[],
  name = 'Alpha',
  cannot: Partial<ConnectionCapabilities> = {},
): Promise<ScriptedChat> {
  const before = chats.length;
  await startAgent(page, name);
  const chat = await until('the conversation', () => chats[before]);
  await until('it is started', () => chat.started);
  chat.capabilities = { ...SCRIPTED_CAPABILITIES, ...cannot };
  chat.connect();
  await panel(page).getByText('connected', { exact: false }).first().waitFor();
  return chat;
}
