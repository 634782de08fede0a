import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  LanguageSupport,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import type { OpenDocument } from '../protocol.ts';
import { languageFeatures } from './language-features.ts';
import { problemMarks } from './problem-marks.ts';
import { STYLE_NONCE } from './settings.ts';
import type { Store } from './store.ts';
import { highlightStyle, theme } from './theme.ts';

const language = new Compartment();

/** Everything an editor of this page has, but its language, which loads on its own. */
export function editorExtensions(store: Store, document: OpenDocument): Extension {
  const save = () => {
    void store.save(document.path);
    return true;
  };
  return [
    EditorView.cspNonce.of(STYLE_NONCE),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    foldGutter(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.readOnly.of(document.readOnly),
    // A file with several kinds of line ends: only one of them ends a line here, so that the others are kept.
    document.text.includes('\r') ? EditorState.lineSeparator.of('\n') : [],
    indentOnInput(),
    indentUnit.of(indentOf(document.text)),
    syntaxHighlighting(highlightStyle),
    bracketMatching(),
    closeBrackets(),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }]),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': document.path }),
    problemMarks(store, document.path),
    languageFeatures(store, document),
    theme,
    language.of([]),
  ];
}

/** As the file does it already: tabs, or the width of its first indented line. */
function indentOf(text: string): string {
  const indent = /^([ \t]+)\S/m.exec(text.slice(0, 20_000))?.[1] ?? '  ';
  if (indent.startsWith('\t')) return '\t';
  return ' '.repeat(Math.min(8, Math.max(2, indent.length)));
}

type Apply = (view: EditorView) => void;
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

export async function languageFor(id: string): Promise<Apply | undefined> {
  const extension = await languageExtension(id);
  return extension && ((view) => view.dispatch({ effects: language.reconfigure(extension) }));
}
