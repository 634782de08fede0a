import { COMMAND_NAMES, help } from '../help.ts';

/** What can follow a command, read from its own help: the two cannot drift apart. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** Sub-commands, agents, modes, editors. */
  readonly words: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly files: 'files' | 'folders' | 'none';
}

export interface OptionSpec {
  readonly name: string;
  /** What may follow it; empty where it stands alone or takes anything. */
  readonly values: readonly string[];
  readonly takesValue: boolean;
}

export function commandSpecs(): readonly CommandSpec[] {
  return [...COMMAND_NAMES].sort().map((name) => specOf(name, help(name)));
}

function specOf(name: string, text: string): CommandSpec {
  const lines = text.split('\n');
  const blank = lines.indexOf('');
  const usage = lines.slice(0, blank).map((line) => line.replace(/^(Usage:|\s+) *tandem \S+ ?/, ''));
  const options = new Map<string, OptionSpec>();
  const note = (option: OptionSpec) => {
    const known = options.get(option.name);
    if (!known || option.values.length > known.values.length) options.set(option.name, option);
  };
  for (const line of [...usage, ...lines.slice(blank).filter((each) => each.startsWith('  --'))]) {
    for (const option of optionsIn(line)) note(option);
  }
  const editors = /^Editors: (.*)\.$/m.exec(text)?.[1]?.split(', ') ?? [];
  return {
    name,
    summary: summaryOf(lines.slice(blank + 1).join(' ')),
    words: [...new Set([...usage.flatMap(wordsIn), ...editors])],
    options: [...options.values()],
    files: usage.some((line) => /\bFILE\b|COMMAND/.test(line))
      ? 'files'
      : usage.some((line) => line.includes('[folder'))
        ? 'folders'
        : 'none',
  };
}

/** `--shell bash|zsh`, `--port N`, `--json`; several before their explanation, which begins after two spaces. */
function optionsIn(line: string): OptionSpec[] {
  const [, named = line] = /^ {2}(--.*?)(?: {2,}|$)/.exec(line) ?? [];
  return [...named.matchAll(/(--[a-z][a-z-]*)(?:[ =]([A-Z]+\b|[a-z-]+(?:\|[a-z-]+)+))?/g)].map(
    ([, name = '', value]) => ({
      name,
      takesValue: value !== undefined,
      values: value?.includes('|') ? value.split('|') : [],
    }),
  );
}

/** Words that are to be typed as they stand; in brackets only where there is a choice. */
function wordsIn(usage: string): string[] {
  const bare = usage.replace(/--[a-z-]+(?:[ =](?:[A-Z]+\b|[a-z-]+(?:\|[a-z-]+)+))?/g, '');
  const [first = ''] = bare.replace(/^(\[options\] )?/, '').split(' ');
  const isChoice = first.includes('|');
  const word = first.replace(/^[[<](.*)[\]>]$/, '$1');
  if (!/^[a-z][a-z-]*(\|[a-z][a-z-]*)*$/.test(word) || (word !== first && !isChoice)) return [];
  return word.split('|');
}

function summaryOf(text: string): string {
  return (/^(.*?[.:;])(\s|$)/.exec(text)?.[1] ?? text).replace(/[.:;]$/, '');
}
