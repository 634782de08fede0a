import { SHARING, type Sharing } from '@tandem/core';
import * as vscode from 'vscode';
import { PLACEMENTS, type PlacementSetting } from './reviews/placement.ts';

const ON_TAB_CLOSE = ['ask', 'reject', 'keep'] as const;
export type OnTabClose = (typeof ON_TAB_CLOSE)[number];

/** The user's settings as they are now. What is of another kind than it should be counts as not set. */
export class Settings {
  get sharing(): Sharing {
    return this.#oneOf('sharing', 'auto', SHARING);
  }

  get deny(): readonly string[] {
    return this.#strings('deny', []);
  }

  get placement(): PlacementSetting {
    return this.#oneOf('reviews.placement', 'beside', PLACEMENTS);
  }

  get onTabClose(): OnTabClose {
    return this.#oneOf('reviews.onTabClose', 'ask', ON_TAB_CLOSE);
  }

  get saveAccepts(): boolean {
    return this.#flag('reviews.saveAccepts', false);
  }

  get showNext(): boolean {
    return this.#flag('reviews.showNext', true);
  }

  get disabledAgents(): readonly string[] {
    return this.#strings('agents.disabled', []);
  }

  /** By agent, what to type. */
  get startCommands(): Readonly<Record<string, string>> {
    const all = Object.entries(this.#get('agents.startCommands', {}) ?? {});
    return Object.fromEntries(all.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }

  get terminalEnvironment(): boolean {
    return this.#flag('terminals.environment', true);
  }

  get python(): string | undefined {
    const path = this.#get('python.path', '');
    return typeof path === 'string' && path.trim() !== '' ? path.trim() : undefined;
  }

  #oneOf<T extends string>(name: string, otherwise: T, known: readonly T[]): T {
    const value = this.#get(name, otherwise);
    return known.find((each) => each === value) ?? otherwise;
  }

  #flag(name: string, otherwise: boolean): boolean {
    const value = this.#get(name, otherwise);
    return typeof value === 'boolean' ? value : otherwise;
  }

  #strings(name: string, otherwise: readonly string[]): readonly string[] {
    const value = this.#get(name, otherwise);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : otherwise;
  }

  #get(name: string, otherwise: unknown): unknown {
    return vscode.workspace.getConfiguration('tandem').get(name, otherwise);
  }
}

export function onSettingChanged(names: readonly string[], changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`tandem.${name}`))) changed();
  });
}
