import { Annotation, Compartment, Text, Transaction } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { t } from '../l10n/t.ts';
import { align, movesSpacers, noSpacers } from './align.ts';
import { diffLines } from './diff.ts';
import { Differ } from './differ.ts';
import { Frame } from './frame.ts';
import { lineColumns } from './lines.ts';
import {
  foldsFor,
  foldsLeft,
  type Hunk,
  hunkAfter,
  hunkAt,
  keepDone,
  linesIn,
  type Model,
  quickHunks,
} from './model.ts';
import { Moves } from './moves.ts';
import { Notes } from './notes.ts';
import type { LineNote } from './notes-prompt.ts';
import type { ReviewPosition, ReviewViewOptions } from './options.ts';
import { paneState } from './panes.ts';
import { hunkStart, putBackChange } from './places.ts';
import { type Controls, type Mode, modelField, modeOf, notesField, setModel, setNotes } from './state.ts';

const AMEND_AFTER = 150;
const ASK_AFTER = 120;
const RULER_EVERY = 100;
const MOST_ROUNDS = 10;
const NARROW = 900;
const SET_TEXT_BUDGET = 2_000_000;

const fromElsewhere = Annotation.define<boolean>();

/**
 * Two texts, what changed between them, and the person's answer to each change. The merge view of CodeMirror is not used:
 * it has no way to take a comparison made elsewhere, joins changes one blank line apart, and its controls are not reachable
 * by keyboard; so the decorations are our own, on plain editors.
 */
export class ReviewView {
  readonly #options: ReviewViewOptions;
  readonly #before: Text;
  readonly #frame: Frame;
  readonly #differ: Differ;
  readonly #notes: Notes;
  readonly #moves: Moves;
  readonly #controls: Controls;
  readonly #layout = new Compartment();
  readonly #resizes: ResizeObserver;
  readonly #right: EditorView;
  #left: EditorView | undefined;
  #wanted: Mode;
  #shown: Mode | undefined;
  #version = 0;
  #touched = false;
  #position = '';
  #amendTimer: ReturnType<typeof setTimeout> | undefined;
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  #rulerTimer: ReturnType<typeof setTimeout> | undefined;
  #alignFrame = 0;
  #rounds = 0;

  constructor(options: ReviewViewOptions) {
    this.#options = options;
    this.#wanted = options.mode;
    this.#before = Text.of(options.before.split('\n'));
    this.#frame = new Frame(options.parent, options.labels ?? { before: t('Before'), proposed: t('Proposed') });
    this.#differ = new Differ(options.before, options.createWorker);
    this.#notes = new Notes({
      read: () => this.#right.state.field(notesField),
      write: (notes) => this.#right.dispatch({ effects: setNotes.of(notes) }),
      document: () => this.#right.state.doc,
      changed: (notes) => options.onNotes?.(notes),
      field: (id) => this.#frame.noteField(id),
      leave: () => this.focus(),
    });
    this.#controls = {
      keep: (at) => this.#moves.keep(this.#hunkAtPosition(at), true),
      putBack: (at) => this.#moves.putBack(this.#hunkAtPosition(at)),
      unfold: (from, to) => this.#unfold(from, to),
      note: (side, line) => this.#addNote(line, side),
      noteChanged: (id, text) => this.#notes.change(id, text),
      noteDone: (id) => this.#notes.done(id),
      noteEdit: (id) => this.#notes.edit(id),
      noteRemove: (id) => this.#notes.remove(id),
    };
    this.#right = this.#editor('b', Text.of(options.text.split('\n')));
    this.#moves = new Moves(this.#right, this.#frame, options.readOnly === true);
    this.#frame.right.append(this.#right.dom);
    this.#layOut();
    this.#resizes = new ResizeObserver(() => this.#layOut());
    this.#resizes.observe(this.#frame.dom);
    const quick = quickHunks(this.#before, this.#right.state.doc);
    if (quick) this.#received(quick);
    else this.#ask();
    this.#tellPosition();
  }

  get text(): string {
    return this.#right.state.doc.toString();
  }

  get notes(): readonly LineNote[] {
    return this.#notes.list();
  }

  /** What is shown now: inline where there is no room for two panes. */
  get shownMode(): Mode {
    return this.#shown ?? this.#wanted;
  }

  get position(): ReviewPosition {
    const { hunks, active, pending } = this.#model;
    let done = 0;
    for (const hunk of hunks) if (hunk.done) done++;
    return { current: active + 1, total: hunks.length, done, pending };
  }

  /** The text was changed elsewhere. Edits that were not reported yet give way to it. */
  setText(text: string): void {
    clearTimeout(this.#amendTimer);
    this.#amendTimer = undefined;
    if (text === this.text) return;
    const { doc } = this.#right.state;
    const lines = text.split('\n');
    const next = Text.of(lines);
    const { changes } = diffLines(linesIn(doc, 0, doc.lines), lines, SET_TEXT_BUDGET);
    this.#right.dispatch({
      changes: changes.map((change) =>
        putBackChange(doc, next, {
          ...change,
          fromA: change.fromB,
          toA: change.toB,
          fromB: change.fromA,
          toB: change.toA,
        }),
      ),
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    });
  }

  setMode(mode: Mode): void {
    this.#wanted = mode;
    this.#layOut();
  }

  /** Shows every unchanged line. */
  expandAll(): void {
    this.#right.dispatch({ effects: setModel.of({ ...this.#model, folds: [] }) });
  }

  next(): void {
    const { hunks, active } = this.#model;
    this.#moves.goTo(active >= 0 ? active + 1 : hunkAfter(hunks, this.#caretLine, 'b'));
  }

  previous(): void {
    const { hunks, active } = this.#model;
    this.#moves.goTo((active >= 0 ? active : hunkAfter(hunks, this.#caretLine, 'b')) - 1);
  }

  /** Keeps the change at the caret and goes on to the next open one. */
  acceptHunk(): void {
    this.#moves.keep(this.#model.active, false);
  }

  rejectHunk(): void {
    this.#moves.putBack(this.#model.active);
  }

  /** A note on a line, from 1; without a line, on the line of the caret. */
  addNote(line?: number, side: 'before' | 'proposed' = 'proposed'): void {
    if (line !== undefined) return this.#addNote(line - 1, side === 'before' ? 'a' : 'b');
    const left = this.#left?.hasFocus ? this.#left : undefined;
    const view = left ?? this.#right;
    this.#addNote(view.state.doc.lineAt(view.state.selection.main.head).number - 1, left ? 'a' : 'b');
  }

  setNotes(notes: readonly LineNote[]): void {
    this.#notes.replace(notes);
  }

  focus(): void {
    this.#right.focus();
  }

  /** Reports edits that still wait for a pause in the typing. */
  flush(): void {
    if (this.#amendTimer === undefined) return;
    clearTimeout(this.#amendTimer);
    this.#amendTimer = undefined;
    this.#options.onAmend(this.text);
  }

  destroy(): void {
    this.flush();
    clearTimeout(this.#askTimer);
    clearTimeout(this.#rulerTimer);
    cancelAnimationFrame(this.#alignFrame);
    this.#resizes.disconnect();
    this.#differ.destroy();
    this.#left?.destroy();
    this.#right.destroy();
    this.#frame.destroy();
  }

  get #model(): Model {
    return this.#right.state.field(modelField);
  }

  get #caretLine(): number {
    const { state } = this.#right;
    return state.doc.lineAt(state.selection.main.head).number - 1;
  }

  #editor(side: 'a' | 'b', doc: Text): EditorView {
    const { readOnly = false, nonce, language = [], extensions = [], labels } = this.#options;
    const state = paneState({
      side,
      before: this.#before,
      readOnly,
      controls: this.#controls,
      doc,
      nonce,
      label:
        side === 'a'
          ? t('{0}, read-only', labels?.before ?? t('Before'))
          : t(readOnly ? '{0}, read-only' : '{0}, can be edited', labels?.proposed ?? t('Proposed')),
      keys: {
        next: () => this.next(),
        previous: () => this.previous(),
        keep: () => this.acceptHunk(),
        putBack: () => this.rejectHunk(),
        note: () => this.addNote(),
      },
      more: [
        language,
        this.#layout.of(side === 'a' ? [modeOf.of('split'), lineColumns('a', false)] : []),
        side === 'b' ? extensions : [],
        EditorView.updateListener.of((update) => this.#updated(update, side)),
      ],
    });
    return new EditorView({ state });
  }

  #updated(update: ViewUpdate, side: 'a' | 'b'): void {
    const spaced = update.transactions.some((tr) => movesSpacers(tr.effects));
    // Aligning may itself bring lines into sight whose heights were guessed; it comes to rest after a few rounds.
    this.#rounds = spaced ? this.#rounds + 1 : 0;
    if ((update.heightChanged || update.viewportChanged) && this.#rounds < MOST_ROUNDS) this.#align();
    if (update.heightChanged && side === 'b') this.#drawRuler();
    if (side === 'a') return;
    const elsewhere = update.transactions.some((tr) => tr.annotation(fromElsewhere));
    if (update.docChanged) {
      this.#version++;
      this.#touched = true;
      if (!elsewhere) this.#amended();
    }
    if (update.selectionSet) this.#touched = true;
    this.#sync(update);
  }

  /** Tells the left pane, the ruler and the page what the right pane knows. */
  #sync(update: ViewUpdate): void {
    const model = update.state.field(modelField);
    const notes = update.state.field(notesField);
    const newModel = model !== update.startState.field(modelField);
    const newNotes = notes !== update.startState.field(notesField);
    if (newModel || newNotes) {
      this.#left?.dispatch({ effects: [setModel.of(model), setNotes.of(notes)] });
      this.#align();
    }
    if (!newModel) return;
    if (model.pending) this.#askSoon();
    this.#drawRuler();
    this.#tellPosition();
  }

  #amended(): void {
    clearTimeout(this.#amendTimer);
    this.#amendTimer = setTimeout(() => this.flush(), AMEND_AFTER);
  }

  #askSoon(): void {
    clearTimeout(this.#askTimer);
    this.#askTimer = setTimeout(() => this.#ask(), ASK_AFTER);
  }

  #ask(): void {
    const version = this.#version;
    this.#differ.ask(this.text, (hunks) => {
      if (version === this.#version) this.#received(hunks);
      else this.#askSoon();
    });
  }

  #received(found: Hunk[]): void {
    const { doc } = this.#right.state;
    const old = this.#model;
    const first = old.hunks.length === 0 && old.pending;
    const hunks = keepDone(found, old.hunks, doc, doc);
    const folds = first ? foldsFor(hunks, this.#before.lines) : foldsLeft(old.folds, hunks);
    const effects: ReturnType<typeof setModel.of>[] = [setModel.of({ hunks, folds, active: -1, pending: false })];
    const start = hunks[0];
    if (first && start && !this.#touched) {
      this.#right.dispatch({ effects, selection: { anchor: hunkStart(doc, start) } });
      this.#touched = false;
    } else this.#right.dispatch({ effects });
  }

  #tellPosition(): void {
    const position = this.position;
    const key = JSON.stringify(position);
    if (key === this.#position) return;
    this.#position = key;
    this.#options.onPosition(position);
  }

  #layOut(): void {
    const width = this.#frame.dom.clientWidth;
    const shown: Mode = this.#wanted === 'split' && width >= NARROW ? 'split' : 'inline';
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#frame.setMode(shown);
    this.#right.dispatch({
      effects: this.#layout.reconfigure([modeOf.of(shown), lineColumns('b', shown === 'inline')]),
    });
    if (shown === 'split') {
      this.#left = this.#editor('a', this.#before);
      const [model, notes] = [this.#model, this.#right.state.field(notesField)];
      this.#left.dispatch({ effects: [setModel.of(model), setNotes.of(notes)] });
      this.#frame.left.append(this.#left.dom);
      this.#align();
    } else {
      this.#left?.destroy();
      this.#left = undefined;
      noSpacers(this.#right);
    }
    this.#options.onMode?.(shown);
  }

  #align(): void {
    if (!this.#left || this.#alignFrame !== 0) return;
    this.#alignFrame = requestAnimationFrame(() => {
      this.#alignFrame = 0;
      if (this.#left) align(this.#left, this.#right);
      this.#moves.settle();
    });
  }

  /** Now and then is enough. */
  #drawRuler(): void {
    this.#rulerTimer ??= setTimeout(() => {
      this.#rulerTimer = undefined;
      this.#frame.ruler.draw(this.#right);
    }, RULER_EVERY);
  }

  #hunkAtPosition(position: number): number {
    const { doc } = this.#right.state;
    return hunkAt(this.#model.hunks, doc.lineAt(position).number - 1, doc.lines);
  }

  #unfold(from: number, to: number): void {
    const model = this.#model;
    const folds = model.folds.flatMap((fold) => {
      if (to <= fold.from || from >= fold.to) return [fold];
      const rest = [
        { from: fold.from, to: from },
        { from: to, to: fold.to },
      ];
      return rest.filter((each) => each.to - each.from > 1);
    });
    this.#right.dispatch({ effects: setModel.of({ ...model, folds }) });
  }

  #addNote(line: number, side: 'a' | 'b'): void {
    if (this.#options.readOnly) return;
    const left = side === 'a' ? line : this.#leftOf(line);
    const fold = this.#model.folds.find((each) => each.from <= left && left < each.to);
    if (fold) this.#unfold(fold.from, fold.to);
    this.#notes.add(line, side);
  }

  #leftOf(line: number): number {
    const { hunks } = this.#model;
    const previous = hunks[hunkAfter(hunks, line, 'b') - 1];
    return previous ? line - previous.toB + previous.toA : line;
  }
}
