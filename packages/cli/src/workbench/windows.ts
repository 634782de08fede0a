import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { type Companion, describeLink, type Link, Refusal } from '@tandem/core';
import type { Viewer } from '@tandem/ui/chat-hub';
import type { Agent, Reply, Requests, SharedItem, Shell, Tell } from '@tandem/ui/protocol';
import type { WebSocket } from 'ws';
import { ASKS, type Desktop, reviewItem } from './asks.ts';

/** The pages that are open: answers what they ask, and tells them what happens. */
export class Windows {
  readonly #desktop: Desktop;
  readonly #sockets = new Map<WebSocket, Viewer>();
  readonly #countChanged: () => void;
  #shellSoon = false;
  #sharedSoon = false;

  constructor(desktop: Desktop, countChanged: () => void) {
    this.#desktop = desktop;
    this.#countChanged = countChanged;
    this.#follow();
  }

  get count(): number {
    return this.#sockets.size;
  }

  welcome(socket: WebSocket): void {
    const viewer = viewerOf(socket);
    this.#sockets.set(socket, viewer);
    socket.on('message', (data) => void this.#answer(socket, viewer, data.toString()));
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#desktop.chats.detach(viewer);
      this.#left();
    });
    this.#countChanged();
    this.#tellShell();
    this.#tellShared();
  }

  #left(): void {
    // With the last page the caret goes; documents and reviews stay.
    if (this.#sockets.size === 0) this.#desktop.editor.documents.focus(undefined);
    this.#countChanged();
    this.#tellShell();
  }

  async #answer(socket: WebSocket, viewer: Viewer, text: string): Promise<void> {
    let message: { id?: unknown; ask?: unknown; input?: unknown };
    try {
      message = JSON.parse(text);
    } catch {
      return socket.close(1007, 'not JSON');
    }
    if (typeof message?.id !== 'number') return socket.close(1008, 'a request without an id');
    send(socket, { id: message.id, ...(await this.#run(message.ask, message.input, viewer)) });
  }

  async #run(name: unknown, input: unknown, viewer: Viewer): Promise<{ output: unknown } | { error: string }> {
    const known = typeof name === 'string' && Object.hasOwn(ASKS, name);
    if (!known) return { error: 'there is no such request' };
    const ask = ASKS[name as keyof Requests];
    const checked = ask.input.safeParse(input);
    if (!checked.success) {
      return { error: checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
    }
    try {
      return { output: await ask.run(checked.data, this.#desktop, viewer) };
    } catch (error) {
      if (!(error instanceof Refusal))
        this.#tell({ tell: 'notice', level: 'error', message: (error as Error).message });
      return { error: (error as Error).message };
    }
  }

  #follow(): void {
    const { companion, editor, chats } = this.#desktop;
    const shell = () => this.#tellShell();
    chats.changed = shell;
    for (const signal of [companion.links.joined, companion.links.left, companion.links.updated]) signal.on(shell);
    companion.policy.changed.on(shell);
    companion.workspace.foldersChanged.on(shell);
    companion.workspace.changed.on(() => this.#tellShared());
    companion.policy.changed.on(() => this.#tellShared());
    editor.reviewShown.on(shell);
    editor.reviewAmended.on((review) => {
      this.#tell({ tell: 'amended', id: review.id, text: review.text });
      shell();
    });
    editor.reviewClosed.on((review) => {
      const how = review.withdrawn ?? `${review.state} by the ${review.decidedBy}`;
      const { agentName, amended } = reviewItem(this.#desktop, review);
      const here = review.decidedBy === 'editor';
      const text = amended && !here ? { text: review.text } : {};
      this.#tell({ tell: 'decided', id: review.id, path: review.path, agentName, how, here, ...text });
      shell();
    });
    companion.ledger.noted.on((entry) =>
      this.#tell({ tell: 'ledger', entry: { ...entry, at: new Date(entry.at).toISOString() } }),
    );
    editor.documents.tabsChanged.on(shell);
    editor.documents.pushed.on((pushed) => this.#tell({ tell: 'updates', ...pushed }));
    editor.documents.moved.on((move) => this.#tell({ tell: 'moved', ...move }));
    editor.reveal.on((where) => this.#tell({ tell: 'reveal', ...where }));
    editor.documents.folderChanged.on((folder) => this.#tell({ tell: 'files', folder }));
    companion.workspace.diagnosed.on((path) =>
      this.#tell({ tell: 'diagnostics', path, problems: companion.workspace.diagnostics(path) }),
    );
    editor.languageServers?.changed.on(() =>
      this.#tell({ tell: 'language-servers', servers: editor.languageServers?.items ?? [] }),
    );
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

  /** When everybody who has to do with it has heard of the change. */
  #tellShared(): void {
    if (this.#sharedSoon || this.#sockets.size === 0) return;
    this.#sharedSoon = true;
    setImmediate(() => {
      this.#sharedSoon = false;
      this.#tell({ tell: 'shared', documents: sharedOf(this.#desktop.companion) });
    });
  }

  #tell(message: Tell): void {
    const text = JSON.stringify(message);
    for (const socket of this.#sockets.keys()) if (socket.readyState === socket.OPEN) socket.send(text);
  }
}

/** So much may wait on its way to a page; beyond it the page is told less. */
const MAX_WAITING = 8 * 1024 * 1024;

function viewerOf(socket: WebSocket): Viewer {
  return {
    tell: (chat) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ tell: 'chat', chat } satisfies Tell));
    },
    get keepsUp() {
      return socket.bufferedAmount < MAX_WAITING;
    },
  };
}

function send(socket: WebSocket, reply: Reply): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(reply));
}

/** So that a page knows whether the workbench it comes back to is the one it left. */
const INSTANCE = randomUUID();

export function shellOf(desktop: Desktop, windows: number): Shell {
  const { companion, editor, chats } = desktop;
  return {
    name: editor.info.displayName,
    instance: INSTANCE,
    folders: editor.folders,
    tabs: editor.documents.tabs,
    ...(editor.documents.front === undefined ? {} : { active: editor.documents.front }),
    agents: companion.links.all.map(agentOf),
    published: publishedOf(companion),
    reviews: editor.reviews.map((review) => reviewItem(desktop, review)),
    sharing: companion.policy.sharing,
    deny: companion.policy.deny,
    windows,
    chats: chats.summaries,
  };
}

function agentOf(link: Link): Agent {
  const folder = link.agent.pid === undefined ? undefined : folderOf(link.agent.pid);
  return { ...describeLink(link), mentions: link.mention !== undefined, ...(folder === undefined ? {} : { folder }) };
}

/** Where a process works, on systems that tell. */
function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function sharedOf(companion: Companion): readonly SharedItem[] {
  return companion.context.documents.map(({ path, active, selections }) => {
    const [selection] = selections;
    const selected = active && selection && selection.text !== '';
    const lines = selected && { start: selection.start.line + 1, end: selection.end.line + 1 };
    return { path, active, ...(lines ? { lines } : {}) };
  });
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
