import { type Diagnostic, lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint';
import type { Extension, Text } from '@codemirror/state';
import { type EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { effect } from '@preact/signals';
import type { Place, Problem } from '../protocol.ts';
import type { Store } from './store.ts';

/** Squiggles and the gutter. They come from the workbench, which knows them without a page too. */
export function problemMarks(store: Store, path: string): Extension {
  return [
    lintGutter(),
    ViewPlugin.define((view) => new Marks(view, () => store.problems.of(path))),
    keymap.of([{ key: 'F8', run: nextDiagnostic, shift: previousDiagnostic }]),
  ];
}

class Marks {
  readonly #stop: () => void;
  #shown: readonly Problem[] | undefined;

  constructor(view: EditorView, problems: () => readonly Problem[]) {
    this.#stop = effect(() => this.#show(view, problems()));
  }

  destroy(): void {
    this.#shown = undefined;
    this.#stop();
  }

  #show(view: EditorView, problems: readonly Problem[]): void {
    if (problems === this.#shown) return;
    this.#shown = problems;
    // An editor must not be changed in the middle of a change.
    queueMicrotask(() => {
      if (this.#shown !== problems) return;
      const marks = problems.map((problem) => markOf(view.state.doc, problem));
      view.dispatch(setDiagnostics(view.state, marks));
    });
  }
}

function markOf(doc: Text, { range, severity, message, source, code }: Problem): Diagnostic {
  const from = offsetAt(doc, range.start);
  const about = [source, code].filter(Boolean).join(' ');
  return { from, to: Math.max(from, offsetAt(doc, range.end)), severity, message, ...(about ? { source: about } : {}) };
}

/** The nearest there is: the text may be ahead of what a server saw. */
export function offsetAt(doc: Text, { line, character }: Place): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}
