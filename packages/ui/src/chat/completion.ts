import type { AgentCommand } from '@tandem/chat/view';
import { rank } from '../app/rank.ts';
import { wayTo } from '../paths.ts';

/** The word that is being written, where it can be completed. */
export interface Word {
  readonly kind: 'command' | 'file';
  /** Without its sign. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  /** What takes the word's place. */
  readonly insert: string;
  /** The file that is named by it. */
  readonly path?: string;
}

const MOST = 30;

export function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: 'command', text: command[1] ?? '', from: 0, to: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const name = file[1] ?? '';
  return { kind: 'file', text: name, from: caret - name.length - 1, to: caret };
}

export function commandsFor(word: string, commands: readonly AgentCommand[]): readonly Suggestion[] {
  const wanted = word.toLowerCase();
  const begins = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = commands.filter(
    ({ name }) => name.toLowerCase().includes(wanted) && !name.toLowerCase().startsWith(wanted),
  );
  return [...begins, ...holds].slice(0, MOST).map(({ name, description, hint }) => ({
    label: `/${name}`,
    detail: hint ? `${hint} — ${description}` : description,
    insert: `/${name} `,
  }));
}

export function filesFor(word: string, paths: readonly string[], folders: readonly string[]): readonly Suggestion[] {
  const found = rank(paths, word, [], (path) => wayTo(folders, path)).slice(0, MOST);
  return found.map((path) => {
    const way = wayTo(folders, path);
    // A name with a space would end before its end.
    const written = /\s/.test(way) ? way.replaceAll(' ', '\\ ') : way;
    return { label: way.split('/').at(-1) ?? way, detail: way, insert: `@${written} `, path };
  });
}

/** Of the files that were named, those that still stand in the text. */
export function mentioned(text: string, named: ReadonlyMap<string, string>): readonly { readonly path: string }[] {
  const found = [...named].filter(([written]) => {
    const at = text.indexOf(written);
    const after = text[at + written.length];
    return at >= 0 && (after === undefined || /[\s.,;:!?)\]]/.test(after));
  });
  return found.map(([, path]) => ({ path }));
}
