import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
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
import { phrases } from '../l10n/t.ts';
import { languageExtension } from '../languages.ts';
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
    EditorState.phrases.of(phrases()),
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

export async function languageFor(id: string): Promise<Apply | undefined> {
  const extension = await languageExtension(id);
  return extension && ((view) => view.dispatch({ effects: language.reconfigure(extension) }));
}
