import type { LanguageSupport } from '@codemirror/language';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { languageExtension } from '../../languages.ts';

export interface Span {
  readonly text: string;
  readonly class?: string;
}

/** Longer ones stay plain: nobody reads them here, and they would hold up what streams. */
export const MAX_HIGHLIGHTED = 30_000;

/** The same kinds as in the editor, as classes. */
const highlighter = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'code-number' },
  { tag: tags.comment, class: 'code-comment' },
  { tag: [tags.typeName, tags.className, tags.namespace], class: 'code-type' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 'code-function' },
  { tag: [tags.propertyName, tags.attributeName], class: 'code-property' },
]);

const ALIASES: Readonly<Record<string, string>> = {
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'javascriptreact',
  ts: 'typescript',
  tsx: 'typescriptreact',
  py: 'python',
  rs: 'rust',
  'c++': 'cpp',
  h: 'c',
  cs: 'csharp',
  kt: 'kotlin',
  rb: 'ruby',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  yml: 'yaml',
  md: 'markdown',
  htm: 'html',
  svg: 'xml',
  jsonc: 'json',
};

const loaded = new Map<string, LanguageSupport | undefined>();

/** At once if its language is there already. */
export function highlighted(code: string, name: string): readonly Span[] | undefined {
  const language = loaded.get(idOf(name));
  return language && code.length <= MAX_HIGHLIGHTED ? spans(code, language) : undefined;
}

/** Whether there is anything to gain by waiting. */
export async function loadLanguage(name: string): Promise<boolean> {
  const id = idOf(name);
  if (!loaded.has(id)) loaded.set(id, (await languageExtension(id)) as LanguageSupport | undefined);
  return loaded.get(id) !== undefined;
}

export function isLoaded(name: string): boolean {
  return loaded.has(idOf(name));
}

function idOf(name: string): string {
  const id = name.toLowerCase();
  return ALIASES[id] ?? id;
}

function spans(code: string, { language }: LanguageSupport): readonly Span[] {
  const found: Span[] = [];
  let at = 0;
  highlightTree(language.parser.parse(code), highlighter, (from, to, classes) => {
    if (from > at) found.push({ text: code.slice(at, from) });
    found.push({ text: code.slice(from, to), class: classes });
    at = to;
  });
  if (at < code.length) found.push({ text: code.slice(at) });
  return found;
}
