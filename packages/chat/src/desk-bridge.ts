import { writeFile } from 'node:fs/promises';
import { type Decision, isAmended, type Review } from '@tandem/core';
import { allowOnce, reject } from './acp/permissions.ts';
import type { AgentConnection, PermissionAnswer, PromptBlock, Vote } from './connection.ts';
import { embed } from './context-blocks.ts';
import type { ChatEvent, PermissionRequest } from './events.ts';
import type { ChatHouse, ChatIdentity } from './house.ts';
import { proposalsOf } from './proposals.ts';

/** A text longer than this is not repeated to the agent; it can read the file. */
const MAX_TOLD = 20_000;

/** One permission on the desk: a review for each file it is about. */
interface Case {
  readonly request: PermissionRequest;
  readonly waiting: Set<string>;
  readonly accepted: Review[];
  /** Seen again since the history began anew. */
  confirmed: boolean;
}

export interface BridgeHost {
  /** Something the panel should know. */
  tell(event: ChatEvent): void;
  say(blocks: readonly PromptBlock[]): Promise<unknown>;
}

/** Puts permissions that carry a change on the desk, like every other change, and brings the decision back as a vote. */
export class DeskBridge {
  readonly #house: ChatHouse;
  readonly #identity: ChatIdentity;
  readonly #connection: AgentConnection;
  readonly #host: BridgeHost;
  readonly #cases = new Map<string, Case>();

  constructor(house: ChatHouse, identity: ChatIdentity, connection: AgentConnection, host: BridgeHost) {
    this.#house = house;
    this.#identity = identity;
    this.#connection = connection;
    this.#host = host;
  }

  /** Never waits: whoever tells events must not be held up. */
  handle(event: ChatEvent): void {
    switch (event.type) {
      case 'permission':
        void this.#open(event.request).catch((error: Error) => {
          this.#house.log('warn', `${this.#identity.id}: the change is not on the desk: ${error.message}`);
        });
        return;
      case 'answered':
        return this.#close(event.id);
      case 'history':
        return event.phase === 'begin' ? this.#doubt() : this.#clear();
      case 'connection':
        if (event.state.status === 'stopped' || event.state.status === 'died') this.close();
    }
  }

  close(): void {
    this.#cases.clear();
    this.#house.desk.withdrawAll('agent gone', this.#identity.id);
  }

  async #open(request: PermissionRequest): Promise<void> {
    const known = this.#cases.get(request.id);
    if (known) {
      known.confirmed = true;
      for (const review of known.waiting) this.#host.tell({ type: 'review', permission: request.id, review });
      return;
    }
    const diffs = request.call.content.filter((part) => part.type === 'diff');
    if (diffs.length === 0 || !this.#house.editor.can.review) return;
    const entry: Case = { request, waiting: new Set(), accepted: [], confirmed: true };
    this.#cases.set(request.id, entry); // before the wait: an answer in this moment must find it
    const proposals = (await proposalsOf(diffs, request.call.locations, this.#house)) ?? [];
    for (const { path, text } of proposals) {
      if (this.#cases.get(request.id) !== entry) return; // answered meanwhile
      const { id: link, agent } = this.#identity;
      const review = this.#house.desk.open({
        link,
        agent,
        path,
        proposed: text,
        deliver: (decision, decided) => this.#decided(entry, decision, decided),
      });
      entry.waiting.add(review.id);
      this.#host.tell({ type: 'review', permission: request.id, review: review.id });
    }
  }

  #decided(entry: Case, decision: Decision, review: Review): void {
    entry.waiting.delete(review.id);
    if (decision.kind === 'withdraw' || this.#cases.get(entry.request.id) !== entry) return;
    if (decision.kind === 'accept') {
      entry.accepted.push(review);
      if (entry.waiting.size > 0) return; // the other files first
    }
    this.#cases.delete(entry.request.id);
    for (const other of entry.waiting) this.#house.desk.withdraw(other, 'taken back');
    void this.#answer(entry, decision.kind === 'reject').catch((error: Error) => {
      const message = `The decision did not reach ${this.#connection.agent.name}: ${error.message}`;
      this.#host.tell({ type: 'notice', notice: { level: 'error', message, code: 'vote' } });
    });
  }

  async #answer({ request, accepted }: Case, rejected: boolean): Promise<void> {
    const mine = rejected ? [] : accepted.filter(isAmended);
    if (!rejected && mine.length === 0) {
      const allow = allowOnce(request.options);
      await this.#vote(request.id, allow ? { optionId: allow.id } : { cancelled: true });
      return;
    }
    const no = reject(request.options);
    const vote = await this.#vote(request.id, no ? { optionId: no.id } : { cancelled: true });
    if (!rejected) await this.#withMyEdits(accepted, vote);
  }

  #vote(id: string, answer: PermissionAnswer): Promise<Vote> {
    return this.#connection.respondToPermission(id, answer);
  }

  /**
   * A vote cannot carry a text. So the agent's change was rejected; the user's text is written instead, and the agent
   * hears of it. To the user this is one step.
   */
  async #withMyEdits(reviews: readonly Review[], vote: Vote): Promise<void> {
    if (vote === 'late') {
      const kept = reviews.map(({ id }) => `tandem review restore ${id}`).join(', ');
      return this.#notice('warning', `Somebody else answered first. Your version is kept: ${kept}`, 'late');
    }
    for (const review of reviews) await this.#write(review);
    const paths = reviews.map(({ path }) => path).join(', ');
    const name = this.#connection.agent.name;
    this.#notice('info', `Your version of ${paths} was saved, and ${name} is told so.`, 'own-version');
    await this.#host.say(reviews.flatMap((review) => this.#told(review)));
  }

  async #write(review: Review): Promise<void> {
    const { editor } = this.#house;
    const { lineEnding } = await review.before;
    const lf = review.text.replaceAll('\r\n', '\n');
    const text = lineEnding === 'crlf' ? lf.replaceAll('\n', '\r\n') : review.text;
    if (editor.write) await editor.write(review.path, text);
    else await writeFile(review.path, text);
  }

  #told({ path, text }: Review): PromptBlock[] {
    const { policy, ledger } = this.#house;
    const intro = `I did not take your change to ${path} as it was. I have saved my own version of it; do not make your change again.`;
    if (policy.denies(path) || text.length > MAX_TOLD) return [{ type: 'text', text: `${intro} Read it again.` }];
    const { id: link, agent } = this.#identity;
    ledger.note({ link, agent, what: 'document', paths: [path], text });
    // Beside the words and not in them: in the panel it is a name to click on.
    const version = embed(this.#connection.capabilities, path, text);
    return [{ type: 'text', text: `${intro} It now reads as here:` }, version];
  }

  #notice(level: 'info' | 'warning', message: string, code: string): void {
    this.#host.tell({ type: 'notice', notice: { level, message, code } });
  }

  /** Answered in the panel, by another client, or by nobody. Edits that nobody took are kept by the desk. */
  #close(id: string): void {
    const entry = this.#cases.get(id);
    this.#cases.delete(id);
    for (const review of entry?.waiting ?? []) this.#house.desk.withdraw(review, 'answered in the terminal');
  }

  #doubt(): void {
    for (const entry of this.#cases.values()) entry.confirmed = false;
  }

  #clear(): void {
    for (const [id, entry] of this.#cases) {
      if (entry.confirmed) continue;
      this.#cases.delete(id);
      for (const review of entry.waiting) this.#house.desk.withdraw(review, 'agent gone');
    }
  }
}
