import { type EditorView, WidgetType } from '@codemirror/view';
import { t } from '../l10n/t.ts';
import { button, element } from './dom.ts';
import { type Note, pane } from './state.ts';

/** A note below its line: a field while it is written, plain text afterwards. What is typed counts at once. */
export class NoteWidget extends WidgetType {
  readonly #note: Note;
  readonly #label: string;

  constructor(note: Note, line: number) {
    super();
    this.#note = note;
    this.#label = note.side === 'a' ? t('Note on old line {0}', line + 1) : t('Note on line {0}', line + 1);
  }

  override eq(other: NoteWidget): boolean {
    const [a, b] = [this.#note, other.#note];
    // The field itself holds the text while it is open; replacing it would take the caret away.
    return a.id === b.id && a.editing === b.editing && (a.editing || a.text === b.text) && this.#label === other.#label;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { controls } = view.state.facet(pane);
    const { id, text, editing } = this.#note;
    const title = element('div', 'tandem-review-note-title', this.#label);
    const box = element('div', 'tandem-review-note', title);
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', this.#label);
    const outer = element('div', 'tandem-review-note-room', box);
    const remove = button('tandem-review-button', t('Delete this note'), t('Delete'), () => controls.noteRemove(id));
    if (!editing) {
      const edit = button('tandem-review-button', t('Change this note'), t('Edit'), () => controls.noteEdit(id));
      box.append(element('p', 'tandem-review-note-text', text));
      title.append(element('span', 'tandem-review-note-buttons', edit, remove));
      return outer;
    }
    const field = element('textarea', 'tandem-review-note-field');
    field.value = text;
    field.rows = 3;
    field.dataset.note = String(id);
    field.placeholder = t('What should the agent do differently here?');
    field.setAttribute('aria-label', this.#label);
    field.addEventListener('input', () => controls.noteChanged(id, field.value));
    field.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const done = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
      if (!done) return;
      event.preventDefault();
      controls.noteDone(id);
    });
    const done = button(
      'tandem-review-button tandem-review-primary',
      t('Close the field (Ctrl+Enter)'),
      t('Done'),
      () => controls.noteDone(id),
    );
    box.append(field, element('div', 'tandem-review-note-buttons', remove, done));
    return outer;
  }

  override updateDOM(dom: HTMLElement, _view: EditorView, from: this): boolean {
    const same = from.#note.id === this.#note.id && from.#note.editing && this.#note.editing;
    if (!same) return false;
    const title = dom.querySelector('.tandem-review-note-title');
    if (title) title.textContent = this.#label;
    for (const each of dom.querySelectorAll('[role=group], textarea')) each.setAttribute('aria-label', this.#label);
    return true;
  }

  override get estimatedHeight(): number {
    return this.#note.editing ? 132 : 40 + 20 * this.#note.text.split('\n').length;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
