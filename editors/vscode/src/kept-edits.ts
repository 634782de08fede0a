import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log, Review } from '@tandem/core';
import * as vscode from 'vscode';
import { inform, warn } from './messages.ts';

/** What the user typed into a review that ended without it. */
interface KeptEdit {
  readonly path: string;
  readonly agent: string;
  readonly text: string;
  readonly at: number;
}

const MAX_KEPT = 20;

/** Nothing the user typed is lost: kept in the workspace's own storage, also over a reload, until taken or dropped. */
export class KeptEdits {
  readonly #file: string;
  readonly #log: Log;

  constructor(folder: string, log: Log) {
    this.#file = join(folder, 'kept-edits.json');
    this.#log = log;
  }

  keep(review: Review, agent: string): void {
    const kept = { path: review.path, agent, text: review.text, at: Date.now() };
    // Written at once: the window may be on its way out.
    this.#write([...this.#read(), kept].slice(-MAX_KEPT));
    if (review.withdrawn !== 'companion stopped') this.offer();
  }

  /** Says that there are some, if there are. */
  offer(): void {
    const all = this.#read();
    const last = all.at(-1);
    if (!last) return;
    const { t } = vscode.l10n;
    const [open, drop] = [t('Show Them'), t('Discard')];
    const message = t(
      'Your edits to the proposal of {0} for {1} were not taken. They are kept.',
      last.agent,
      basename(last.path),
    );
    warn(message, open, drop).then(
      async (answer) => {
        if (answer === open) await this.open();
        if (answer === drop) this.#write([]);
      },
      (error: Error) => this.#log('warn', error.message),
    );
  }

  /** Beside the file, as an untitled document that the user can save or copy from. */
  async open(): Promise<void> {
    const all = this.#read();
    if (all.length === 0) {
      await inform(vscode.l10n.t('There are no kept edits.'));
      return;
    }
    for (const { path, agent, text } of all) {
      const file = vscode.Uri.file(path);
      const language = (await vscode.workspace.openTextDocument(file).then(undefined, () => undefined))?.languageId;
      const mine = await vscode.workspace.openTextDocument({ content: text, ...(language ? { language } : {}) });
      const title = vscode.l10n.t('{0}: your edits to the proposal of {1}', basename(path), agent);
      if (language) await vscode.commands.executeCommand('vscode.diff', file, mine.uri, title, { preview: false });
      else await vscode.window.showTextDocument(mine, { preview: false });
    }
    this.#write([]);
  }

  #read(): readonly KeptEdit[] {
    try {
      const all = JSON.parse(readFileSync(this.#file, 'utf8'));
      return Array.isArray(all)
        ? all.filter((each) => typeof each?.path === 'string' && typeof each.text === 'string')
        : [];
    } catch {
      return [];
    }
  }

  #write(all: readonly KeptEdit[]): void {
    try {
      if (all.length === 0) return rmSync(this.#file, { force: true });
      mkdirSync(join(this.#file, '..'), { recursive: true });
      writeFileSync(this.#file, JSON.stringify(all), { mode: 0o600 });
    } catch (error) {
      this.#log('warn', `edits could not be kept: ${(error as Error).message}`);
    }
  }
}
