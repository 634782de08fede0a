import { type Companion, describeLink, Refusal } from '@tandem/core';
import type { Reply, Requests, Shell, Tell } from '@tandem/ui/protocol';
import type { WebSocket } from 'ws';
import { ASKS, type Desktop, reviewItem } from './asks.ts';

/** The pages that are open: answers what they ask, and tells them what happens. */
export class Windows {
  readonly #desktop: Desktop;
  readonly #sockets = new Set<WebSocket>();
  readonly #countChanged: () => void;
  #shellSoon = false;

  constructor(desktop: Desktop, countChanged: () => void) {
    this.#desktop = desktop;
    this.#countChanged = countChanged;
    this.#follow();
  }

  get count(): number {
    return this.#sockets.size;
  }

  welcome(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('message', (data) => void this.#answer(socket, data.toString()));
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#left();
    });
    this.#countChanged();
    this.#tellShell();
  }

  #left(): void {
    // With the last page the caret goes; documents and reviews stay.
    if (this.#sockets.size === 0) this.#desktop.editor.focus(undefined);
    this.#countChanged();
    this.#tellShell();
  }

  async #answer(socket: WebSocket, text: string): Promise<void> {
    let message: { id?: unknown; ask?: unknown; input?: unknown };
    try {
      message = JSON.parse(text);
    } catch {
      return socket.close(1007, 'not JSON');
    }
    if (typeof message?.id !== 'number') return socket.close(1008, 'a request without an id');
    send(socket, { id: message.id, ...(await this.#run(message.ask, message.input)) });
  }

  async #run(name: unknown, input: unknown): Promise<{ output: unknown } | { error: string }> {
    const known = typeof name === 'string' && Object.hasOwn(ASKS, name);
    if (!known) return { error: 'there is no such request' };
    const ask = ASKS[name as keyof Requests];
    const checked = ask.input.safeParse(input);
    if (!checked.success) {
      return { error: checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
    }
    try {
      return { output: await ask.run(checked.data, this.#desktop) };
    } catch (error) {
      if (!(error instanceof Refusal))
        this.#tell({ tell: 'notice', level: 'error', message: (error as Error).message });
      return { error: (error as Error).message };
    }
  }

  #follow(): void {
    const { companion, editor } = this.#desktop;
    const shell = () => this.#tellShell();
    for (const signal of [companion.links.joined, companion.links.left, companion.links.updated]) signal.on(shell);
    companion.policy.changed.on(shell);
    companion.workspace.foldersChanged.on(shell);
    companion.desk.opened.on(shell);
    companion.desk.amended.on((review) => {
      this.#tell({ tell: 'amended', id: review.id, text: review.text });
      shell();
    });
    companion.desk.decided.on((review) => {
      const how = review.withdrawn ?? `${review.state} by the ${review.decidedBy}`;
      const { agentName } = reviewItem(companion, review);
      const elsewhere = review.decidedBy !== 'browser';
      this.#tell({ tell: 'decided', id: review.id, path: review.path, agentName, how, elsewhere });
      shell();
    });
    companion.ledger.noted.on((entry) =>
      this.#tell({ tell: 'ledger', entry: { ...entry, at: new Date(entry.at).toISOString() } }),
    );
    editor.tabsChanged.on(shell);
    editor.pushed.on((pushed) => this.#tell({ tell: 'updates', ...pushed }));
    editor.reset.on((document) => this.#tell({ tell: 'reset', document }));
    editor.reveal.on((where) => this.#tell({ tell: 'reveal', ...where }));
    editor.folderChanged.on((folder) => this.#tell({ tell: 'files', folder }));
    editor.told.on(({ level, message }) => this.#tell({ tell: 'notice', level, message }));
  }

  /** Several changes in one turn are told once. */
  #tellShell(): void {
    if (this.#shellSoon) return;
    this.#shellSoon = true;
    setImmediate(() => {
      this.#shellSoon = false;
      this.#tell({ tell: 'shell', shell: shellOf(this.#desktop, this.#sockets.size) });
    });
  }

  #tell(message: Tell): void {
    const text = JSON.stringify(message);
    for (const socket of this.#sockets) if (socket.readyState === socket.OPEN) socket.send(text);
  }
}

function send(socket: WebSocket, reply: Reply): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(reply));
}

export function shellOf({ companion, editor }: Desktop, windows: number): Shell {
  return {
    name: editor.info.displayName,
    folders: companion.folders,
    tabs: editor.tabs,
    ...(editor.active === undefined ? {} : { active: editor.active }),
    agents: companion.links.all.map(describeLink),
    published: publishedOf(companion),
    reviews: companion.desk.reviews.map((review) => reviewItem(companion, review)),
    sharing: companion.policy.sharing,
    deny: companion.policy.deny,
    windows,
  };
}

function publishedOf(companion: Companion): Shell['published'] {
  return companion.published.map(({ dialect, files, error }) => ({
    dialect: dialect.id,
    agent: dialect.agent,
    files,
    start: dialect.start.line,
    ...(dialect.start.once === undefined ? {} : { once: dialect.start.once }),
    ...(error === undefined ? {} : { error }),
  }));
}
