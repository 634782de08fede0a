import type {
  Abilities,
  CodeOutput,
  Editor,
  EditorHost,
  EditorInfo,
  Log,
  Notice,
  OpenedFile,
  OpenFileRequest,
  Review,
} from '@tandem/core';
import * as vscode from 'vscode';
import { Code } from './code.ts';
import { Diagnostics } from './diagnostics.ts';
import { Disposables } from './disposables.ts';
import { Documents } from './documents.ts';
import { commonAncestor, LIKELY_EDITOR } from './process-tree.ts';
import { Reviews } from './reviews/reviews.ts';
import { Settings } from './settings.ts';

export interface AdapterOptions {
  readonly log?: Log;
  /** As people write it. */
  readonly agentName?: (id: string) => string;
  readonly told?: (notice: Notice) => void;
  /** VS Code's own name for what is open in this window. */
  readonly window?: string | undefined;
}

/** VS Code as an editor: translates, and decides nothing. */
export class VsCodeEditor implements Editor {
  readonly reviews: Reviews;
  readonly #options: AdapterOptions;
  readonly #documents = new Documents();
  readonly #diagnostics = new Diagnostics();
  readonly #code: Code;
  readonly #listeners = new Disposables();
  #pid = LIKELY_EDITOR;

  constructor(options: AdapterOptions = {}, settings = new Settings()) {
    const log = options.log ?? (() => {});
    this.#options = options;
    this.reviews = new Reviews(settings, log, options.agentName ?? ((id) => id));
    this.#code = new Code(settings, log);
  }

  get info(): EditorInfo {
    const { window } = this.#options;
    const name = editorName(vscode.env.uriScheme);
    return { name, displayName: vscode.env.appName, pid: this.#pid, ...(window === undefined ? {} : { window }) };
  }

  get can(): Abilities {
    const { isTrusted } = vscode.workspace;
    return { review: true, diagnostics: true, openFile: true, save: true, executeCode: isTrusted };
  }

  start(host: EditorHost): void {
    const trust = () => host.apply({ type: 'trust', trusted: vscode.workspace.isTrusted });
    trust();
    this.#documents.start(host);
    this.#diagnostics.start(host);
    this.reviews.start(host);
    const check = (terminal: vscode.Terminal) => this.#checkPid(terminal);
    this.#listeners.add(vscode.workspace.onDidGrantWorkspaceTrust(trust), vscode.window.onDidOpenTerminal(check));
    for (const terminal of vscode.window.terminals) check(terminal);
  }

  async stop(): Promise<void> {
    this.#listeners.dispose();
    this.#documents.stop();
    this.#diagnostics.stop();
    await this.reviews.stop();
    await this.#code.stop();
  }

  unsavedText(path: string): string | undefined {
    return this.#documents.unsavedText(path);
  }

  openFile(request: OpenFileRequest): Promise<OpenedFile> {
    return this.#documents.openFile(request);
  }

  save(path: string): Promise<boolean> {
    return this.#documents.save(path);
  }

  write(path: string, text: string): Promise<void> {
    return this.#documents.write(path, text);
  }

  executeCode(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    return this.#code.execute(code, signal);
  }

  showReview(review: Review): void {
    this.reviews.show(review);
  }

  updateReview(review: Review): void {
    this.reviews.update(review);
  }

  closeReview(review: Review): void {
    this.reviews.close(review);
  }

  tell(notice: Notice): void {
    this.#options.told?.(notice);
  }

  /** A real terminal shows whether the published process is its ancestor; if not, what is published is put right. */
  #checkPid(terminal: vscode.Terminal): void {
    const check = async () => {
      const shell = await terminal.processId;
      const common = shell === undefined ? undefined : await commonAncestor(process.pid, shell);
      if (common === undefined || common === this.#pid) return;
      this.#options.log?.('info', `the editor's process is ${common}, not ${this.#pid}`);
      this.#pid = common;
      this.#documents.reportFolders();
    };
    check().catch((error: Error) => this.#options.log?.('debug', error.message));
  }
}

/** `vscode`, `cursor`, `vscodium`: what the product answers to in addresses. */
export function editorName(uriScheme: string): string {
  return uriScheme.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'vscode';
}
