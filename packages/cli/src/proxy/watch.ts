import { existsSync } from 'node:fs';
import type { ClaudeLink, EditorContext, OpenEditor, ToldDiagnostic } from '@tandem/client';
import { type Diagnostic, type EditorHost, languageOf, type Range } from '@tandem/core';
import type { PathMap } from './path-map.ts';

/** The dialect tells of selections only; folders, open editors and diagnostics have to be asked for. */
const ASK_MS = 2_000;

/** Reports what the source's user does, as far as the source tells. */
export class Watch {
  readonly #link: ClaudeLink;
  readonly #paths: PathMap;
  readonly #host: EditorHost;
  readonly #open = new Map<string, { dirty: boolean }>();
  readonly #diagnosed = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  #folders: readonly string[];
  #version = 0;
  #asking = false;

  constructor(link: ClaudeLink, paths: PathMap, folders: readonly string[], host: EditorHost) {
    this.#folders = folders;
    this.#link = link;
    this.#paths = paths;
    this.#host = host;
    link.on('context', this.#hear);
    this.#hear(link.context);
    this.#timer = setInterval(() => void this.#ask(), ASK_MS);
    void this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#link.off('context', this.#hear);
  }

  /** It was asked to open it, and will tell of it in its own time. */
  opened(path: string): void {
    this.#know(path, false, languageOf(path));
  }

  readonly #hear = ({ files: [file] }: EditorContext): void => {
    if (!file?.isActive) return;
    const path = this.#paths.toLocal(file.path);
    this.#know(path, this.#open.get(path)?.dirty ?? false, languageOf(path));
    const { start, end } = file.selection ?? {};
    if (start && end) {
      const range = { start: fromZero(start), end: fromZero(end) };
      this.#host.apply({ type: 'selected', path, selections: [{ ...range, text: file.selectedText ?? '' }] });
    }
    this.#host.apply({ type: 'focused', path });
    void this.#ask();
  };

  /** One round at a time; a source that is away is asked again later. */
  async #ask(): Promise<void> {
    if (this.#asking || this.#link.state !== 'connected') return;
    this.#asking = true;
    try {
      const { openEditors, diagnostics, folders } = this.#link.can;
      if (folders) this.#enter(await this.#link.workspaceFolders());
      if (openEditors) this.#take(await this.#link.openEditors());
      if (diagnostics) this.#diagnose(await this.#link.diagnostics());
    } catch {
      // it may have gone this moment, or answer in a way we do not know; what it told before still holds
    } finally {
      this.#asking = false;
    }
  }

  #enter(remote: readonly string[]): void {
    const folders = remote.map((each) => this.#paths.toLocal(each)).filter((each) => existsSync(each));
    if (folders.length === 0 || folders.join('\0') === this.#folders.join('\0')) return;
    this.#folders = folders;
    this.#host.apply({ type: 'folders', folders });
  }

  #take(editors: readonly OpenEditor[]): void {
    const local = editors.map((each) => ({ ...each, path: this.#paths.toLocal(each.path) }));
    for (const each of local) this.#know(each.path, each.dirty, each.language || languageOf(each.path));
    const paths = new Set(local.map((each) => each.path));
    for (const path of [...this.#open.keys()]) {
      if (paths.has(path)) continue;
      this.#open.delete(path);
      this.#host.apply({ type: 'closed', path });
    }
  }

  #know(path: string, dirty: boolean, language: string): void {
    const known = this.#open.get(path);
    if (known?.dirty === dirty) return;
    this.#version += 1;
    this.#open.set(path, { dirty });
    if (known) this.#host.apply({ type: 'changed', path, dirty, version: this.#version });
    else this.#host.apply({ type: 'opened', path, language, dirty, version: this.#version });
  }

  #diagnose(files: Awaited<ReturnType<ClaudeLink['diagnostics']>>): void {
    const now = new Map(files.map((file) => [this.#paths.toLocal(file.path), file.diagnostics.map(neutral)]));
    for (const path of new Set([...this.#diagnosed.keys(), ...now.keys()])) {
      const diagnostics = now.get(path) ?? [];
      const print = JSON.stringify(diagnostics);
      if (this.#diagnosed.get(path) === print) continue;
      if (diagnostics.length > 0) this.#diagnosed.set(path, print);
      else this.#diagnosed.delete(path);
      this.#host.apply({ type: 'diagnostics', path, diagnostics });
    }
  }
}

function neutral({ start, end, ...rest }: ToldDiagnostic): Diagnostic {
  return { range: { start: fromZero(start), end: fromZero(end) }, ...rest };
}

/** The client counts from 1. */
function fromZero({ line, character }: Range['start']): Range['start'] {
  return { line: Math.max(0, line - 1), character: Math.max(0, character - 1) };
}
