import type { Text } from '@codemirror/state';
import type { LineNote } from './notes-prompt.ts';
import type { Note, Side } from './state.ts';

export interface NotesHost {
  read(): readonly Note[];
  write(notes: readonly Note[]): void;
  document(): Text;
  changed(notes: readonly LineNote[]): void;
  /** The open field of a note, once it is drawn. */
  field(id: number): HTMLTextAreaElement | undefined;
  leave(): void;
}

/** The notes on lines: at most one for a line of a side. */
export class Notes {
  readonly #host: NotesHost;
  #lastId = 0;

  constructor(host: NotesHost) {
    this.#host = host;
  }

  list(): LineNote[] {
    const doc = this.#host.document();
    return this.#host
      .read()
      .filter((note) => note.text.trim() !== '')
      .map((note): LineNote => {
        const side = note.side === 'a' ? 'before' : 'proposed';
        return { line: note.side === 'a' ? note.at + 1 : doc.lineAt(note.at).number, text: note.text, side };
      })
      .sort((one, two) => one.line - two.line);
  }

  add(line: number, side: Side): void {
    const doc = this.#host.document();
    const number = side === 'b' ? Math.min(line + 1, doc.lines) : line;
    const notes = this.#host.read();
    const there = notes.find((note) =>
      note.side === side && side === 'a'
        ? note.at === line
        : note.side === side && doc.lineAt(note.at).number === number,
    );
    if (there) return this.edit(there.id);
    const id = ++this.#lastId;
    const at = side === 'a' ? line : doc.line(number).from;
    this.#host.write([...notes, { id, side, at, text: '', editing: true }]);
    this.#focus(id);
  }

  replace(notes: readonly LineNote[]): void {
    const doc = this.#host.document();
    this.#host.write(
      notes.map((note) => ({
        id: ++this.#lastId,
        side: note.side === 'before' ? 'a' : 'b',
        at: note.side === 'before' ? note.line - 1 : doc.line(Math.min(Math.max(note.line, 1), doc.lines)).from,
        text: note.text,
        editing: false,
      })),
    );
  }

  change(id: number, text: string): void {
    this.#update(id, { text });
    this.#host.changed(this.list());
  }

  /** Closes the field; a note without text goes. */
  done(id: number): void {
    const note = this.#host.read().find((each) => each.id === id);
    if (note && note.text.trim() === '') this.#host.write(this.#host.read().filter((each) => each.id !== id));
    else this.#update(id, { editing: false });
    this.#host.leave();
  }

  edit(id: number): void {
    this.#update(id, { editing: true });
    this.#focus(id);
  }

  remove(id: number): void {
    this.#host.write(this.#host.read().filter((note) => note.id !== id));
    this.#host.changed(this.list());
    this.#host.leave();
  }

  #update(id: number, part: Partial<Note>): void {
    this.#host.write(this.#host.read().map((note) => (note.id === id ? { ...note, ...part } : note)));
  }

  #focus(id: number): void {
    // Once the editor has drawn it.
    requestAnimationFrame(() => this.#host.field(id)?.focus());
  }
}
