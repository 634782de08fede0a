import { existsSync } from 'node:fs';
import type { PublishedDialect } from '@tandem/core';
import * as vscode from 'vscode';
import type { Settings } from './settings.ts';
import { terminalVariables } from './terminal-variables.ts';

/** The variables that lead an agent in a terminal of this window to this window. */
export class TerminalEnvironment {
  readonly #collection: vscode.GlobalEnvironmentVariableCollection;
  readonly #settings: Settings;

  constructor(collection: vscode.GlobalEnvironmentVariableCollection, settings: Settings) {
    this.#collection = collection;
    this.#settings = settings;
    // There is a token among them, so they are not written down; after a reload they are set again.
    collection.persistent = false;
  }

  set(published: readonly PublishedDialect[]): void {
    const wanted = this.#settings.terminalEnvironment ? terminalVariables(published, process.env, existsSync) : {};
    for (const [name] of this.#collection) if (!(name in wanted)) this.#collection.delete(name);
    for (const [name, value] of Object.entries(wanted)) {
      // Set anew only if it changed: VS Code marks the terminals that have the old value.
      if (this.#collection.get(name)?.value !== value) this.#collection.replace(name, value);
    }
    const names = published.map(({ dialect }) => dialect.agent).join(', ');
    this.#collection.description = vscode.l10n.t('Lets {0} find this window.', names);
  }

  clear(): void {
    this.#collection.clear();
  }
}
