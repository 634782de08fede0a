import { LanguageSupport, StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

type Load = () => Promise<Extension>;

const stream = (load: () => Promise<unknown>, name: string): Load => {
  return async () => {
    const module = (await load()) as Record<string, Parameters<typeof StreamLanguage.define>[0]>;
    return new LanguageSupport(StreamLanguage.define(module[name] as Parameters<typeof StreamLanguage.define>[0]));
  };
};

/** Loaded when the first file of its kind is opened. */
const LANGUAGES: Readonly<Record<string, Load>> = {
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  javascriptreact: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  typescript: async () => (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  typescriptreact: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  python: async () => (await import('@codemirror/lang-python')).python(),
  json: async () => (await import('@codemirror/lang-json')).json(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  vue: async () => (await import('@codemirror/lang-html')).html(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  rust: async () => (await import('@codemirror/lang-rust')).rust(),
  c: async () => (await import('@codemirror/lang-cpp')).cpp(),
  cpp: async () => (await import('@codemirror/lang-cpp')).cpp(),
  java: async () => (await import('@codemirror/lang-java')).java(),
  go: async () => (await import('@codemirror/lang-go')).go(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  php: async () => (await import('@codemirror/lang-php')).php(),
  shellscript: stream(() => import('@codemirror/legacy-modes/mode/shell'), 'shell'),
  toml: stream(() => import('@codemirror/legacy-modes/mode/toml'), 'toml'),
  ruby: stream(() => import('@codemirror/legacy-modes/mode/ruby'), 'ruby'),
  lua: stream(() => import('@codemirror/legacy-modes/mode/lua'), 'lua'),
  swift: stream(() => import('@codemirror/legacy-modes/mode/swift'), 'swift'),
  csharp: stream(() => import('@codemirror/legacy-modes/mode/clike'), 'csharp'),
  kotlin: stream(() => import('@codemirror/legacy-modes/mode/clike'), 'kotlin'),
};

/** The language as an extension, for views that are not this module's. */
export async function languageExtension(id: string): Promise<Extension | undefined> {
  // A text without colours is better than none, should its part of the page not be had.
  return Object.hasOwn(LANGUAGES, id) ? LANGUAGES[id]?.().catch(() => undefined) : undefined;
}
