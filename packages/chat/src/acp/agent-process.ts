import type { ClientConnection } from '@agentclientprotocol/sdk';
import { VERSION } from '@tandem/core';
import type * as z from 'zod';
import { Child } from '../child.ts';
import { ChatError } from '../connection.ts';
import { type AcpAgent, agentEnvironment, type Environment, type Prepared } from './agents.ts';
import { failureOf, Initialized } from './replies.ts';
import { connect, type WireHost } from './wire.ts';

const GRACE_MS = 2_000;
const START_MS = 60_000;

/** One run of an agent: its process, the protocol on its streams, and what was prepared for it. */
export class AgentProcess {
  readonly #agent: AcpAgent;
  readonly #prepared: Prepared | undefined;
  readonly #child: Child;
  readonly #wire: ClientConnection;
  /** How it ended, in words. */
  readonly ended: Promise<string>;

  constructor(agent: AcpAgent, cwd: string, environment: Environment, host: WireHost) {
    this.#agent = agent;
    const env = agentEnvironment(environment);
    this.#prepared = agent.prepare?.(env);
    const { command, args } = agent;
    this.#child = new Child({ command, args, cwd, env: { ...env, ...this.#prepared?.env } }, ['pipe', 'pipe', 'pipe']);
    this.#child.process.stderr?.resume(); // agents talk to themselves there
    this.#wire = connect(this.#child, host);
    this.ended = this.#child.ended.then((how) => {
      this.#wire.close(new ChatError('not-connected', `${agent.name}: ${how}`));
      return how;
    });
  }

  get pid(): number | undefined {
    return this.#child.isOver ? undefined : this.#child.process.pid;
  }

  async hello(): Promise<Initialized> {
    const hello = this.ask('initialize', Initialized, {
      protocolVersion: 1,
      clientInfo: { name: 'tandem', title: 'Tandem', version: VERSION },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      },
    });
    // Why it ended says more than that its streams did.
    const initialized = await within(
      hello.catch((error) => this.#why(error)),
      START_MS,
    );
    if (initialized.protocolVersion === 1) return initialized;
    throw new ChatError('unsupported', `${this.#agent.name} speaks ACP ${initialized.protocolVersion}; 1 is needed`);
  }

  async ask<T extends z.ZodType>(method: string, reply: T, params: object): Promise<z.infer<T>> {
    this.#check();
    let answer: unknown;
    try {
      answer = await this.#wire.agent.request<unknown>(method, params);
    } catch (error) {
      const failure = inWords(error);
      throw failure.code === 'authentication' ? this.#loginNeeded(failure.message) : failure;
    }
    const parsed = reply.safeParse(answer ?? {});
    if (parsed.success) return parsed.data;
    throw new ChatError('failed', `${method}: the answer is not understood (${parsed.error.issues[0]?.message})`);
  }

  async tell(method: string, params: object): Promise<void> {
    this.#check();
    await this.#wire.agent.notify(method, params);
  }

  /** After a request failed: whether that was because it died. Its streams end a moment before its process does. */
  async isGone(): Promise<boolean> {
    if (!this.#wire.signal.aborted) return false;
    this.#child.signal('SIGTERM'); // one that has closed its streams is of no use
    await this.ended;
    return true;
  }

  async end(): Promise<void> {
    this.#wire.close();
    this.#child.process.stdin?.end();
    await this.#child.end(GRACE_MS);
    this.#prepared?.dispose();
  }

  #loginNeeded(reason: string): ChatError {
    const { name, login = 'Start it once in a terminal and log in there.' } = this.#agent;
    return new ChatError('authentication', `${name} is not logged in (${reason.replace(/\.$/, '')}). ${login}`);
  }

  #check(): void {
    if (this.#wire.signal.aborted) throw new ChatError('not-connected', `${this.#agent.name} is not running`);
  }

  async #why(error: unknown): Promise<never> {
    if (await this.isGone()) throw new ChatError('failed', `${this.#agent.name}: ${await this.ended}`);
    throw error;
  }
}

export function inWords(error: unknown): ChatError {
  if (error instanceof ChatError) return error;
  const { code, message } = failureOf(error);
  return new ChatError(code, message);
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChatError('failed', 'the agent did not answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
