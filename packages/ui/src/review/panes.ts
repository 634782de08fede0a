import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension, Prec, type Text } from '@codemirror/state';
import { EditorView, highlightSpecialChars, type KeyBinding, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { phrases } from '../l10n/t.ts';
import { spacersField } from './align.ts';
import { blocks } from './blocks.ts';
import { lineColours } from './lines.ts';
import { modelField, notesField, type Pane, pane } from './state.ts';

export interface KeyCommands {
  next(): void;
  previous(): void;
  keep(): void;
  putBack(): void;
  note(): void;
}

function reviewKeys(commands: KeyCommands): readonly KeyBinding[] {
  const bind = (key: string, run: () => void): KeyBinding => ({
    key,
    preventDefault: true,
    run: () => {
      run();
      return true;
    },
  });
  return [
    bind('F7', commands.next),
    bind('Alt-ArrowDown', commands.next),
    bind('Shift-F7', commands.previous),
    bind('Alt-ArrowUp', commands.previous),
    bind('Alt-Enter', commands.keep),
    bind('Shift-Alt-Enter', commands.putBack),
    bind('Mod-Alt-m', commands.note),
  ];
}

export interface PaneOptions extends Pane {
  readonly label: string;
  readonly doc: Text;
  readonly keys: KeyCommands;
  readonly nonce: string | undefined;
  readonly more: Extension;
}

/** What both panes have in common. The text goes in as lines, so that nothing in it is taken for a line break. */
export function paneState(options: PaneOptions): EditorState {
  const { side, before, readOnly, controls } = options;
  const fixed = side === 'a' || readOnly;
  return EditorState.create({
    doc: options.doc,
    extensions: [
      pane.of({ side, before, readOnly, controls }),
      options.nonce === undefined ? [] : EditorView.cspNonce.of(options.nonce),
      modelField,
      notesField,
      options.more,
      blocks,
      spacersField,
      lineColours,
      highlightSpecialChars(),
      EditorState.phrases.of(phrases()),
      EditorView.lineWrapping,
      syntaxHighlighting(classHighlighter, { fallback: true }),
      fixed ? EditorState.readOnly.of(true) : history(),
      EditorView.contentAttributes.of({
        'aria-label': options.label,
        ...(fixed ? { 'aria-readonly': 'true' } : {}),
      }),
      Prec.high(keymap.of(reviewKeys(options.keys))),
      keymap.of([...defaultKeymap, ...historyKeymap]),
    ],
  });
}
