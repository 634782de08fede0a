import type { Log } from '@tandem/core';
import * as z from 'zod';
import type { ChatEvent } from '../events.ts';
import { Calls } from './calls.ts';
import type { Choices } from './choices.ts';
import { Paragraphs } from './paragraphs.ts';
import { SessionUpdate } from './schema.ts';
import { eventsOf } from './updates.ts';

/** What the agent tells of a session, as events. */
export class News {
  readonly calls = new Calls();
  /** A history is being told: what the user said is then news. */
  loading = false;
  readonly #choices: Choices;
  readonly #tell: (...events: readonly ChatEvent[]) => void;
  readonly #log: Log;
  readonly #paragraphs = new Paragraphs();

  constructor(choices: Choices, tell: (...events: readonly ChatEvent[]) => void, log: Log) {
    this.#choices = choices;
    this.#tell = tell;
    this.#log = log;
  }

  beginTurn(): void {
    this.calls.clear();
    this.#paragraphs.begin();
  }

  update(wire: unknown): void {
    const update = SessionUpdate.safeParse(wire);
    if (!update.success) {
      const kind = (wire as { sessionUpdate?: unknown } | null)?.sessionUpdate;
      this.#log('debug', `update ${String(kind)} is not understood: ${update.error.issues[0]?.message}`);
      return;
    }
    const { said } = this.#choices;
    switch (update.data.sessionUpdate) {
      case 'user_message_chunk':
        if (!this.loading) return; // our own words
        break;
      case 'current_mode_update':
        return this.#tell(...said.choice('mode', update.data.currentModeId));
      case 'session_info_update':
        return this.#tell(...said.title(update.data.title));
      case 'config_option_update':
        this.#choices.changed(update.data.configOptions);
        break;
    }
    const events = 'toolCallId' in update.data ? this.calls.events(update.data) : eventsOf(update.data);
    said.know(...events);
    this.#tell(...this.#paragraphs.separate(update.data, events));
  }

  /** Qwen tells changes of mode, model and title in its own way. */
  extra(method: string, params: unknown): void {
    const told = z.record(z.string(), z.unknown()).safeParse(params);
    const text = (key: string) => (told.success && typeof told.data[key] === 'string' ? told.data[key] : undefined);
    const change = /^_?qwen\/notify\/session\/(mode|model|title)-update$/.exec(method)?.[1];
    const { said } = this.#choices;
    if (change === 'mode') this.#tell(...said.choice('mode', text('currentModeId')));
    else if (change === 'model') this.#tell(...said.choice('model', text('currentModelId')));
    else if (change === 'title') this.#tell(...said.title(text('title') ?? text('displayName')));
    else this.#log('debug', `the agent told ${method}, which is not used`);
  }
}
