import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Companion, isPort } from '@tandem/core';
import { Chats } from './chats.ts';
import type { Drafts } from './drafts.ts';
import { PageServer } from './page-server.ts';
import { Sessions } from './sessions.ts';
import { Windows } from './windows.ts';
import type { WorkbenchEditor } from './workbench-editor.ts';

/** What the next process needs to find the open pages again: a port, and digests of what they hold. */
interface Kept {
  readonly pagePort: number;
  readonly sessions: readonly { cookie: string; key: string }[];
}

/** The page beside a started companion. */
export class Workbench {
  readonly #companion: Companion;
  readonly #drafts: Drafts | undefined;
  readonly #chats: Chats;
  readonly #sessions: Sessions;
  readonly #server: PageServer;
  readonly #windows: Windows;
  readonly #inherited: Kept | undefined;
  #stopping = false;

  constructor(
    companion: Companion,
    editor: WorkbenchEditor,
    drafts?: Drafts,
    assets = builtAssets(),
    chats = new Chats(companion, { home: homedir(), tmp: tmpdir(), env: process.env }),
  ) {
    this.#chats = chats;
    chats.warn = (message) => editor.tell({ level: 'warning', message });
    this.#companion = companion;
    this.#drafts = drafts;
    this.#inherited = isKept(companion.inherited) ? companion.inherited : undefined;
    this.#sessions = new Sessions(this.#inherited?.sessions);
    this.#windows = new Windows({ companion, editor, files: editor.files, chats }, () => this.#keep());
    this.#server = new PageServer({
      assets,
      sessions: this.#sessions,
      welcome: (socket) => this.#windows.welcome(socket),
      admitted: () => this.#keep(),
    });
  }

  get origin(): string {
    return this.#server.origin;
  }

  /** An address that lets one browser in. The code is in the fragment, which no server and no log ever sees. */
  invite(): string {
    return `${this.#server.origin}/#${this.#sessions.invite()}`;
  }

  async start(): Promise<void> {
    await this.#drafts?.start();
    try {
      await this.#server.listen(this.#inherited?.pagePort ?? 0);
    } catch {
      await this.#server.listen(0); // the old port is taken: pages must be opened anew
    }
    this.#companion.invite = () => this.invite();
    this.#keep();
  }

  async stop(): Promise<void> {
    this.#keep();
    this.#stopping = true; // the windows that close now are those to be handed over
    await this.#server.close();
    await this.#chats.stop(); // before the desk closes, so that agents are not told of that as well
    this.#drafts?.stop(); // no page can type any more
  }

  /** Without an open page there is nothing to hand over. */
  #keep(): void {
    if (this.#stopping) return;
    const kept: Kept = { pagePort: this.#server.port, sessions: this.#sessions.digests };
    this.#companion.keep(this.#windows.count > 0 ? kept : undefined);
  }
}

/** The page is built beside this bundle. */
function builtAssets(): string {
  return join(fileURLToPath(new URL('.', import.meta.url)), '..', 'page');
}

function isKept(value: unknown): value is Kept {
  const kept = value as Partial<Kept> | undefined;
  return (
    isPort(kept?.pagePort) &&
    Array.isArray(kept?.sessions) &&
    kept.sessions.every((each) => /^[0-9a-f]{64}$/.test(each?.cookie) && /^[0-9a-f]{64}$/.test(each?.key))
  );
}
