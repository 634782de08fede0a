import { realpathSync } from 'node:fs';
import {
  type Editor,
  type EditorHost,
  type EditorInfo,
  languageOf,
  type Notice,
  type OpenedFile,
  type OpenFileRequest,
  type Review,
  requireTextFile,
  textAt,
} from '@tandem/core';

export interface TerminalEvents {
  readonly notice: (notice: Notice) => void;
}

/** The terminal as an editor: files are "opened" and "selected" by commands, and reviews wait for one. */
export class TerminalEditor implements Editor {
  readonly info: EditorInfo;
  readonly can = { review: true, diagnostics: false, openFile: true, save: false, executeCode: false };
  readonly #folders: readonly string[];
  readonly #events: TerminalEvents;
  #host: EditorHost | undefined;

  constructor(name: string, folders: readonly string[], events: TerminalEvents) {
    this.info = { name: 'tandem', displayName: name, pid: process.pid };
    this.#folders = folders;
    this.#events = events;
  }

  start(host: EditorHost): void {
    this.#host = host;
    host.apply({ type: 'folders', folders: this.#folders });
  }

  stop(): void {
    this.#host = undefined;
  }

  unsavedText(): undefined {
    return undefined;
  }

  async openFile(request: OpenFileRequest): Promise<OpenedFile> {
    const text = await requireTextFile(request.path);
    const path = realpathSync(request.path);
    const lines = text.split('\n').length;
    const last = request.selection?.end.line ?? 0;
    if (last >= lines) throw new Error(`${request.path} has only ${lines} lines`);
    const language = languageOf(path);
    this.#host?.apply({ type: 'opened', path, language });
    const selection = request.selection ? textAt(text, request.selection) : textAt(text, START);
    this.#host?.apply({ type: 'selected', path, selections: [selection] });
    if (request.focus) this.#host?.apply({ type: 'focused', path });
    return { path, language, lineCount: lines };
  }

  async save(): Promise<boolean> {
    return false;
  }

  showReview(_review: Review): void {}

  updateReview(_review: Review): void {}

  closeReview(_review: Review): void {}

  tell(notice: Notice): void {
    this.#events.notice(notice);
  }
}

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
