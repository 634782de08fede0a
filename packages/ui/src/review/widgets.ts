import { highlightingFor, language } from '@codemirror/language';
import { type EditorState, StateEffect } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { highlightTree } from '@lezer/highlight';
import { t } from '../l10n/t.ts';
import { button, element, icon } from './dom.ts';
import { pane } from './state.ts';
import type { Words } from './words.ts';

export interface PillState {
  readonly active: boolean;
  readonly done: boolean;
}

/** The two buttons of a hunk. They stand in a column of their own, so no text is ever under them. */
function pill(view: EditorView, host: () => HTMLElement, state: PillState): HTMLElement {
  const { controls } = view.state.facet(pane);
  const at = () => view.posAtDOM(host());
  const keep = button('tandem-review-keep', '', icon('check'), () => controls.keep(at()));
  const back = button('tandem-review-back', t('Put the old lines back (Shift+Alt+Enter)'), icon('undo'), () =>
    controls.putBack(at()),
  );
  const result = element('span', 'tandem-review-pill', keep, back);
  result.setAttribute('role', 'group');
  result.setAttribute('aria-label', t('This change'));
  result.contentEditable = 'false';
  updatePill(result, state);
  return result;
}

function updatePill(dom: HTMLElement, state: PillState): void {
  dom.classList.toggle('tandem-review-active', state.active);
  dom.classList.toggle('tandem-review-done', state.done);
  const [keep, back] = [...dom.children] as HTMLButtonElement[];
  if (!keep || !back) return;
  const label = state.done ? t('Kept: look at this change again') : t('Keep this change (Alt+Enter)');
  keep.setAttribute('aria-label', label);
  keep.title = label;
  keep.setAttribute('aria-pressed', String(state.done));
  // Only the buttons at the caret are stops of the Tab key.
  for (const each of [keep, back]) each.tabIndex = state.active ? 0 : -1;
}

const samePill = (a: PillState | null, b: PillState | null) => a?.active === b?.active && a?.done === b?.done;

export class Pill extends WidgetType {
  readonly #state: PillState;

  constructor(state: PillState) {
    super();
    this.#state = state;
  }

  override eq(other: Pill): boolean {
    return samePill(this.#state, other.#state);
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom: HTMLElement = pill(view, () => dom, this.#state);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    updatePill(dom, this.#state);
    return true;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Empty room that keeps the panes level. Where the other side has lines that this one lacks, it is hatched. */
export class Spacer extends WidgetType {
  readonly height: number;
  readonly missing: boolean;
  readonly #pill: PillState | null;

  constructor(height: number, missing: boolean, pillState: PillState | null) {
    super();
    this.height = height;
    this.missing = missing;
    this.#pill = pillState;
  }

  override eq(other: Spacer): boolean {
    return this.height === other.height && this.missing === other.missing && samePill(this.#pill, other.#pill);
  }

  get classes(): string {
    return `${this.missing ? 'tandem-review-missing' : ''} ${this.#pill?.active ? 'tandem-review-active' : ''}`.trim();
  }

  /** Not worth a new layout. */
  near(other: Spacer): boolean {
    const close = Math.abs(this.height - other.height) < 1;
    return close && this.missing === other.missing && samePill(this.#pill, other.#pill);
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = element('div', '');
    if (this.#pill) dom.append(pill(view, () => dom, this.#pill));
    this.#apply(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    if ((dom.firstChild !== null) !== (this.#pill !== null)) return false;
    if (this.#pill) updatePill(dom.firstChild as HTMLElement, this.#pill);
    this.#apply(dom);
    return true;
  }

  #apply(dom: HTMLElement): void {
    dom.style.height = `${this.height}px`;
    dom.className = `tandem-review-spacer ${this.classes}`;
  }

  override get estimatedHeight(): number {
    return this.height;
  }

  override ignoreEvent(): boolean {
    return this.#pill !== null;
  }
}

export interface DeletedState {
  readonly line: number;
  /** The first line of its hunk, which the words are counted from. */
  readonly first: number;
  readonly words: Words | null;
  readonly classes: string;
  readonly pill: PillState | null;
}

const LINE_HEIGHT = 20;

/** A removed line in the inline view, above what replaced it. There may be thousands: text is fetched when it is drawn. */
export class DeletedLine extends WidgetType {
  readonly state: DeletedState;

  constructor(state: DeletedState) {
    super();
    this.state = state;
  }

  override eq(other: DeletedLine): boolean {
    const [a, b] = [this.state, other.state];
    return (
      a.line === b.line &&
      a.first === b.first &&
      a.words === b.words &&
      a.classes === b.classes &&
      samePill(a.pill, b.pill)
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const { before } = view.state.facet(pane);
    const line = before.line(this.state.line + 1);
    const start = line.from - before.line(this.state.first + 1).from;
    const words: number[] = [];
    const all = this.state.words?.a ?? [];
    for (let at = 0; at < all.length && (all[at] as number) < start + line.length; at += 2) {
      const [from, to] = [
        Math.max(0, (all[at] as number) - start),
        Math.min(line.length, (all[at + 1] as number) - start),
      ];
      if (from < to) words.push(from, to);
    }
    const text = element('del', 'tandem-review-old');
    appendText(text, line.text, words, view.state);
    const dom = element('div', `tandem-review-deleted ${this.state.classes}`, text);
    if (this.state.pill) dom.append(pill(view, () => dom, this.state.pill));
    return dom;
  }

  override get estimatedHeight(): number {
    return LINE_HEIGHT;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const LONGEST_COLOURED = 2_000;

/** The text with its colours and word marks, in elements that hold nothing but text. */
function appendText(parent: HTMLElement, text: string, words: readonly number[], state: EditorState): void {
  if (text === '') parent.append('\u200b');
  const colours: { from: number; to: number; className: string }[] = [];
  const parser = text.length <= LONGEST_COLOURED ? state.facet(language)?.parser : undefined;
  if (parser) {
    const style = { style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags) };
    highlightTree(parser.parse(text), style, (from, to, className) => colours.push({ from, to, className }));
  }
  const cuts = new Set([0, text.length, ...words]);
  for (const { from, to } of colours) cuts.add(from).add(to);
  const edges = [...cuts].filter((cut) => cut <= text.length).sort((a, b) => a - b);
  let [colour, word] = [0, 0];
  for (let at = 0; at + 1 < edges.length; at++) {
    const [from, to] = [edges[at] as number, edges[at + 1] as number];
    while ((colours[colour]?.to ?? Number.POSITIVE_INFINITY) <= from) colour++;
    while ((words[word + 1] ?? Number.POSITIVE_INFINITY) <= from) word += 2;
    const coloured = colours[colour] && (colours[colour]?.from ?? 0) <= from ? (colours[colour]?.className ?? '') : '';
    const marked = (words[word] ?? Number.POSITIVE_INFINITY) <= from ? 'tandem-review-word' : '';
    const className = `${coloured} ${marked}`.trim();
    parent.append(className ? element('span', className, text.slice(from, to)) : text.slice(from, to));
  }
}

const STEP = 20;

/** Unchanged lines folded away, with buttons that bring them back. */
export class FoldBar extends WidgetType {
  readonly #from: number;
  readonly #to: number;

  constructor(from: number, to: number) {
    super();
    this.#from = from;
    this.#to = to;
  }

  override eq(other: FoldBar): boolean {
    return this.#from === other.#from && this.#to === other.#to;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { controls, side } = view.state.facet(pane);
    const [from, to] = [this.#from, this.#to];
    const count = to - from;
    const show = (label: string, content: Node | string, first: number, last: number) => {
      const result = button('tandem-review-unfold', label, content, () => controls.unfold(first, last));
      if (side === 'a') result.tabIndex = -1;
      return result;
    };
    const bar = element('div', 'tandem-review-fold');
    if (side === 'a') bar.setAttribute('aria-hidden', 'true');
    const all = show(t('Show {0} unchanged lines', count), icon('all'), from, to);
    all.append(element('span', '', t('{0} unchanged lines', count)));
    all.setAttribute('aria-label', t('Show {0} unchanged lines', count));
    bar.append(all);
    if (count > 2 * STEP) {
      if (from > 0) bar.append(show(t('Show {0} more lines above', STEP), icon('down'), from, from + STEP));
      bar.append(show(t('Show {0} more lines below', STEP), icon('up'), to - STEP, to));
    }
    return bar;
  }

  override get estimatedHeight(): number {
    return 28;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

export interface ShownDeleted {
  readonly fromA: number;
  readonly count: number;
}

/** How many removed lines of a hunk (by its first line on the left) the person asked to see. */
export const showDeleted = StateEffect.define<ShownDeleted>();

/** Removed lines beyond the first few hundred come when asked for; a page of ten thousand would stall. */
export class MoreDeleted extends WidgetType {
  readonly #count: number;
  readonly #next: ShownDeleted;

  constructor(count: number, next: ShownDeleted) {
    super();
    this.#count = count;
    this.#next = next;
  }

  override eq(other: MoreDeleted): boolean {
    return this.#count === other.#count && this.#next.fromA === other.#next.fromA;
  }

  override toDOM(view: EditorView): HTMLElement {
    const label = t('Show more of {0} further removed lines', this.#count);
    const show = () => view.dispatch({ effects: showDeleted.of(this.#next) });
    return element('div', 'tandem-review-fold', button('tandem-review-unfold', label, label, show));
  }

  override get estimatedHeight(): number {
    return 28;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
