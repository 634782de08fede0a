import type { FoundAgent } from '@tandem/chat';
import { type Companion, Refusal } from '@tandem/core';
import { ChatHub, type HostedChat, type HubOptions, type Viewer } from '@tandem/ui/chat-hub';
import type { AgentOffer, ChatSummary, PanelRequest } from '@tandem/ui/chat-protocol';
import { settingsFile } from './language-servers/settings.ts';

export interface ChatPlaces {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens a conversation; another one in tests. */
export type Connect = HubOptions['connect'];

/** The conversations of a workbench. Nothing of it loads before somebody looks for agents, nothing runs before they start one. */
export class Chats {
  /** Whether somebody's summary is another one. */
  changed: () => void = () => {};
  readonly #companion: Companion;
  readonly #places: ChatPlaces;
  readonly #hub: ChatHub;

  constructor(companion: Companion, places: ChatPlaces, double?: Pick<HubOptions, 'agents' | 'connect'>) {
    this.#companion = companion;
    this.#places = places;
    this.#hub = new ChatHub({
      agents: double?.agents ?? (async () => (await this.#agents()).map(offerOf)),
      connect: double?.connect ?? ((id) => this.#connect(id)),
      changed: () => this.changed(),
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

  stop(): Promise<void> {
    return this.#hub.stop();
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

  async #connect(id: string): Promise<Awaited<ReturnType<Connect>>> {
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
    const chat: HostedChat = new Chat(houseOf(this.#companion), connection);
    return { chat, capabilities: () => connection.capabilities };
  }
}

function offerOf({ agent: _, ...offer }: FoundAgent): AgentOffer {
  return offer;
}
