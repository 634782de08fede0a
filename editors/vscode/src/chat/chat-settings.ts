import type { AgentSettings } from '@tandem/chat';
import * as vscode from 'vscode';

type Command = readonly [string, ...string[]];

/** What the user set about conversations. A workspace has no say in it: it would choose what runs, and who gets the token. */
export class ChatSettings implements AgentSettings {
  get agents(): AgentSettings['agents'] {
    return Object.entries(this.#get('chat.agents', {}) ?? {})
      .filter((entry): entry is [string, Command] => isCommand(entry[1]))
      .map(([name, [command, ...args]]) => ({ id: `settings/${name}`, name, command, args }));
  }

  get daemon(): AgentSettings['daemon'] {
    return {
      enabled: this.#get('qwen-code.experimentalDaemon.enabled', false) === true,
      url: this.#text('qwen-code.experimentalDaemon.url', ''),
      token: this.#text('qwen-code.experimentalDaemon.token', ''),
    };
  }

  #text(name: string, otherwise: string): string {
    const value = this.#get(name, otherwise);
    return typeof value === 'string' ? value : otherwise;
  }

  #get(name: string, otherwise: unknown): unknown {
    const section = name.startsWith('qwen-code.') ? undefined : 'tandem';
    return vscode.workspace.getConfiguration(section).get(name, otherwise);
  }
}

function isCommand(value: unknown): value is Command {
  return Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every((word) => typeof word === 'string');
}
