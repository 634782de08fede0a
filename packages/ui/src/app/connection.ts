import { signal } from '@preact/signals';
import { type Text, t } from '../l10n/t.ts';
import type { Reply, Requests, Tell } from '../protocol.ts';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'waiting'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly why: Text };

export class RequestFailed extends Error {}

const KEY = 'tandem-key';
const MAX_WAIT_S = 4;

/** The page's one connection: comes back by itself, and asks again only what it is told to. */
export class Connection {
  readonly state = signal<ConnectionState>({ kind: 'connecting' });
  ontell: (message: Tell) => void = () => {};
  /** Called every time it came up, the first included, before anything is told. */
  onup: () => void = () => {};
  #socket: WebSocket | undefined;
  #id = 0;
  #wait = 0.25;
  readonly #waiting = new Map<number, { resolve: (output: never) => void; reject: (error: Error) => void }>();

  /** Exchanges the code of the address, once, and takes it out of the address bar. */
  async start(): Promise<void> {
    const code = location.hash.slice(1);
    if (code !== '') {
      history.replaceState(null, '', location.pathname);
      const response = await fetch('/session', { method: 'POST', body: code }).catch(() => undefined);
      if (response?.ok) localStorage.setItem(KEY, (await response.json()).key);
    }
    // A window that was let in after this one was turned away opens the door for both.
    window.addEventListener('storage', (event) => {
      if (event.key === KEY && this.state.value.kind === 'refused') this.#connect();
    });
    if (localStorage.getItem(KEY)) this.#connect();
    else if (code !== '') this.#refuse('The code in this address was used already, or is too old.');
    else this.#refuse('This page needs an address with a code.');
  }

  get connected(): boolean {
    return this.state.value.kind === 'connected';
  }

  ask<Name extends keyof Requests>(ask: Name, input: Requests[Name]['input']): Promise<Requests[Name]['output']> {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN)
        return reject(new RequestFailed(t('The workbench is not connected.')));
      this.#id += 1;
      this.#waiting.set(this.#id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id: this.#id, ask, input }));
    });
  }

  #connect(): void {
    this.state.value = { kind: 'connecting' };
    const socket = new WebSocket(`ws://${location.host}/live`);
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      socket.send(JSON.stringify({ key: localStorage.getItem(KEY) }));
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => void this.#lost(event.code, opened);
  }

  #receive(message: Reply | Tell): void {
    if ('tell' in message) {
      // The shell comes first and has everything; what is told before it is in it.
      if (!this.connected && message.tell !== 'shell') return;
      if (!this.connected) {
        this.#wait = 0.25;
        this.state.value = { kind: 'connected' };
        this.onup();
      }
      this.ontell(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new RequestFailed(message.error));
    else waiting?.resolve(message.output as never);
  }

  async #lost(code: number, opened: boolean): Promise<void> {
    for (const { reject } of this.#waiting.values()) reject(new RequestFailed(t('The connection was lost.')));
    this.#waiting.clear();
    // A browser does not say why a socket was not opened; whether anybody is there does.
    const strange = code === 4401 || (!opened && (await answers()));
    if (strange) return this.#refuse('This page is not known to the workbench, or no longer.');
    this.state.value = { kind: 'waiting', seconds: this.#wait };
    setTimeout(() => this.#connect(), this.#wait * 1000);
    this.#wait = Math.min(this.#wait * 2, MAX_WAIT_S);
  }

  #refuse(why: Text): void {
    this.state.value = { kind: 'refused', why };
  }
}

async function answers(): Promise<boolean> {
  return fetch('/icon.svg', { cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  );
}
