import type { FoundAgent, KeptChat } from '@tandem/chat';
import { KeptChats } from '@tandem/chat/kept-chats';
import { type Companion, type Places, Refusal, Registry } from '@tandem/core';
import { ChatHub, type Connected, type HostedChat, type HubOptions, type Viewer } from '@tandem/ui/chat-hub';
import type { AgentOffer, ChatSummary, PanelRequest } from '@tandem/ui/chat-protocol';
import { settingsFile } from './language-servers/settings.ts';

const KEEP_MS = 300;

/** Opens a conversation; another one in tests. */
export type Connect = HubOptions['connect'];

/** The conversations of a workbench. Nothing of it loads before somebody looks for agents, nothing runs before they start one. */
export class Chats {
  /** Whether somebody's summary is another one. */
  changed: () => void = () => {};
  warn: (message: string) => void = () => {};
  readonly #companion: Companion;
  readonly #places: Places;
  readonly #hub: ChatHub;
  #keeper: KeptChats | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(companion: Companion, places: Places, double?: Pick<HubOptions, 'agents' | 'connect'>) {
    this.#companion = companion;
    this.#places = places;
    this.#hub = new ChatHub({
      agents: double?.agents ?? (async () => (await this.#agents()).map(offerOf)),
      connect: double?.connect ?? ((id, kept) => this.#connect(id, kept)),
      kept: () => this.#take(),
      changed: () => {
        this.changed();
        this.#soon ??= setTimeout(() => this.#keep(), KEEP_MS).unref();
      },
    });
  }

  get summaries(): readonly ChatSummary[] {
    return this.#hub.summaries;
  }

  /** The name of the agent whose conversation it is. */
  agentOf(chat: string): string | undefined {
    return this.#hub.summaries.find(({ id }) => id === chat)?.agentName;
  }

  async ask(viewer: Viewer, request: PanelRequest): Promise<unknown> {
    try {
      return await this.#hub.ask(viewer, request);
    } catch (error) {
      // What an agent refuses is shown where it was asked for, and is nothing for the whole page.
      throw new Refusal(409, (error as Error).message);
    }
  }

  detach(viewer: Viewer): void {
    this.#hub.detach(viewer);
  }

  /** The conversations are there again in the next workbench of this folder. */
  stop(): Promise<void> {
    this.#keep(true);
    return this.#hub.stop();
  }

  async #take(): Promise<readonly KeptChat[]> {
    const living = await new Registry(this.#places).living();
    const pids = new Set(living.map(({ pid }) => String(pid)));
    const owner = String(process.pid);
    this.#keeper = new KeptChats({ places: this.#places, where: this.#folder, owner, lives: (pid) => pids.has(pid) });
    return this.#keeper.take();
  }

  #keep(last = false): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    try {
      if (last) this.#keeper?.close(this.#hub.kept);
      else this.#keeper?.save(this.#hub.kept);
    } catch (error) {
      this.warn(`conversations are not kept for the next start: ${(error as Error).message}`);
    }
  }

  async #agents(): Promise<readonly FoundAgent[]> {
    const { findAgents, readChatSettings } = await import('./chat-agents.ts');
    return findAgents(readChatSettings(settingsFile(this.#places.home)), this.#places.env, this.#folder);
  }

  get #folder(): string {
    const [folder] = this.#companion.folders;
    if (folder === undefined) throw new Error('There is no folder to work in.');
    return folder;
  }

  async #connect(id: string, kept?: KeptChat): Promise<Connected> {
    const { Chat, connectTo, houseOf } = await import('@tandem/chat');
    const { readChatSettings } = await import('./chat-agents.ts');
    const found = (await this.#agents()).find((agent) => agent.id === id);
    if (!found?.installed) throw new Error(`${found?.name ?? id} is not installed.`);
    const { daemon } = readChatSettings(settingsFile(this.#places.home));
    const connection = connectTo(found.agent ?? id, {
      cwd: this.#folder,
      env: this.#places.env,
      settings: daemon,
      log: houseOf(this.#companion).log,
    });
    const chat: HostedChat = new Chat(houseOf(this.#companion), connection, kept);
    return { chat, capabilities: () => connection.capabilities };
  }
}

function offerOf({ agent: _, ...offer }: FoundAgent): AgentOffer {
  return offer;
}
