import { delimiter, dirname } from 'node:path';
import {
  contains,
  type EditorEvent,
  type EditorHost,
  languageOf,
  type Notice,
  resolveFolders,
  Signal,
} from '@tandem/core';
import type { LanguageServerItem } from '@tandem/ui/protocol';
import { serverFor, type Wanted } from './catalogue.ts';
import { findCommand, searchPath } from './find.ts';
import { prepare } from './options.ts';
import { LanguageServer } from './server.ts';
import type { Launch } from './server-process.ts';
import { type LanguageSettings, readLanguageSettings } from './settings.ts';
import { Stages } from './stages.ts';
import { Unopened } from './unopened.ts';

/** Longer texts are not worth the memory of a second process. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface LanguageServersOptions {
  readonly settingsFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (notice: Notice) => void;
  /** The text of an open document. */
  readonly text: (path: string) => string;
  readonly watch: (folder: string) => void;
  readonly backoffMs?: readonly number[];
}

/**
 * Starts a server when the first document of its language is opened, and keeps it up to date. It is the one client of
 * each server, so that there are diagnostics with no page open and with two.
 */
export class LanguageServers {
  readonly changed = new Signal<void>();
  readonly #options: LanguageServersOptions;
  readonly #servers = new Map<string, LanguageServer>();
  /** Those that could not be started, with the reason. */
  readonly #missing = new Map<string, LanguageServerItem>();
  /** Open in the editor, with the language. */
  readonly #open = new Map<string, string>();
  readonly #unopened: Unopened;
  #folders: readonly string[] = [];
  #settings: LanguageSettings | undefined;
  #host: EditorHost | undefined;
  #stopped = false;
  #unreadable = false;

  constructor(options: LanguageServersOptions) {
    this.#options = options;
    this.#unopened = new Unopened(
      (path, read) => this.#opened(path, languageOf(path), read),
      (path) => this.#serverOf(path)?.close(path),
    );
  }

  get items(): readonly LanguageServerItem[] {
    return [...[...this.#servers.values()].map((server) => server.item), ...this.#missing.values()];
  }

  /** The processes that run now. */
  get pids(): readonly number[] {
    return [...this.#servers.values()].flatMap((server) => server.pid ?? []);
  }

  /** Everything the editor reports passes through, and problems go the same way. */
  follow(host: EditorHost): EditorHost {
    this.#host = host;
    return {
      apply: (event) => {
        host.apply(event);
        if (!this.#stopped) this.#hear(event);
      },
      amend: (id, text) => host.amend(id, text),
      decide: (id, decision) => host.decide(id, decision),
    };
  }

  /** An agent is about to write this file. */
  expectWrite(path: string): void {
    if (this.#stopped || this.#open.has(path) || this.#folderOf(path) === undefined) return;
    this.#options.watch(dirname(path));
    this.#unopened.expect(path);
  }

  folderChanged(folder: string): void {
    this.#unopened.folderChanged(folder);
  }

  /** `null` when nothing is known, as servers say it. */
  async request(path: string, method: string, params: object): Promise<unknown> {
    return (await this.#serverOf(path)?.request(path, method, params)) ?? null;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unopened.stop();
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
  }

  #hear(event: EditorEvent): void {
    switch (event.type) {
      case 'folders':
        return this.#setFolders(event.folders);
      case 'opened':
        this.#unopened.forget(event.path);
        this.#open.set(event.path, event.language);
        return this.#opened(event.path, event.language, () => this.#options.text(event.path));
      case 'changed':
        return this.#changed(event.path, event.dirty);
      case 'closed':
        this.#open.delete(event.path);
        this.#serverOf(event.path)?.close(event.path);
        return;
    }
  }

  #setFolders(folders: readonly string[]): void {
    const { real, aliases } = resolveFolders(folders);
    this.#folders = [...real, ...aliases];
  }

  #changed(path: string, dirty: boolean): void {
    const server = this.#serverOf(path);
    server?.change(path);
    if (!dirty) server?.save(path);
  }

  #opened(path: string, language: string, read: () => string): void {
    const folder = this.#folderOf(path);
    if (folder === undefined || read().length > MAX_CHARACTERS) return;
    const settings = this.#readSettings();
    const wanted = settings && serverFor(language, settings.languageServers);
    if (!wanted) return;
    this.#serverFor(wanted, folder, settings.trusts(folder))?.open(path, language, read);
  }

  /** The one that runs, or a new one if it is installed. */
  #serverFor(wanted: Wanted, folder: string, trusted: boolean): LanguageServer | undefined {
    const key = JSON.stringify([wanted.command, folder]);
    const known = this.#servers.get(key);
    if (known && !known.gone) return known;
    const launch = this.#launch(wanted, folder, trusted);
    if ('missing' in launch) {
      const [name = ''] = wanted.command;
      this.#missing.set(key, { name, folder, languages: wanted.languages, state: 'missing', hint: launch.missing });
      this.changed.emit();
      return undefined;
    }
    this.#missing.delete(key);
    const server = new LanguageServer(launch, wanted.languages, this.#options.backoffMs);
    this.#servers.set(key, server);
    this.#attend(server);
    for (const [path, language] of this.#open) {
      if (known?.has(path)) server.open(path, language, () => this.#options.text(path));
    }
    this.changed.emit();
    return server;
  }

  #launch(wanted: Wanted, folder: string, trusted: boolean): Launch | { readonly missing: string } {
    const [name = '', ...args] = wanted.command;
    const path = searchPath(folder, this.#options.env.PATH, trusted);
    const program = findCommand(name, path);
    if (program === undefined) {
      return { missing: wanted.install ? `not installed: ${wanted.install}` : 'not found on the PATH' };
    }
    const prepared = prepare(program, path, trusted);
    if ('missing' in prepared) return prepared;
    const env = { ...this.#options.env, PATH: path.join(delimiter) };
    return { program, args, folder, env, initializationOptions: prepared.initializationOptions };
  }

  #attend(server: LanguageServer): void {
    const stages = new Stages((path, diagnostics) => {
      if (!this.#stopped) this.#host?.apply({ type: 'diagnostics', path, diagnostics });
    });
    server.changed.on(() => this.changed.emit());
    server.published.on(({ path, diagnostics }) => stages.report(path, diagnostics));
    server.died.on(({ why, again }) => {
      const next = again ? 'It is started again.' : 'It is started again when you open another file of its kind.';
      this.#options.tell({ level: 'warning', message: `${server.item.name} stopped (${why}). ${next}` });
      if (again) return; // what it said stays until it speaks again
      for (const path of stages.paths) stages.report(path, []);
    });
  }

  /** With wrong settings nothing is started: what was meant is not known. */
  #readSettings(): LanguageSettings | undefined {
    if (this.#settings !== undefined || this.#unreadable) return this.#settings;
    try {
      this.#settings = readLanguageSettings(this.#options.settingsFile);
    } catch (error) {
      this.#unreadable = true;
      this.#options.tell({ level: 'warning', message: `No language server is started. ${(error as Error).message}` });
    }
    return this.#settings;
  }

  #serverOf(path: string): LanguageServer | undefined {
    return [...this.#servers.values()].find((server) => server.has(path));
  }

  /** The innermost workspace folder around it. */
  #folderOf(path: string): string | undefined {
    return this.#folders
      .filter((folder) => contains([folder], path))
      .sort((a, b) => b.length - a.length)
      .at(0);
  }
}
