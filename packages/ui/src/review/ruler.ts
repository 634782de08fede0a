import type { EditorView } from '@codemirror/view';
import { element } from './dom.ts';
import { modelField } from './state.ts';

const ROW = 3;

type Kind = 'added' | 'removed' | 'changed' | 'done';

/** A strip beside the text that shows where the changes are in the whole of it. A click goes there. */
export class Ruler {
  readonly dom = element('div', 'tandem-review-ruler');
  readonly #scroller: HTMLElement;
  #drawn = '';

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
    // The keys for next and previous do the same for those who cannot see it.
    this.dom.setAttribute('aria-hidden', 'true');
    this.dom.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const share = (event.clientY - this.dom.getBoundingClientRect().top) / this.dom.clientHeight;
      scroller.scrollTop = share * scroller.scrollHeight - scroller.clientHeight / 2;
    });
  }

  draw(view: EditorView): void {
    const height = this.dom.clientHeight;
    const whole = Math.max(view.contentHeight, this.#scroller.clientHeight, 1);
    const { doc } = view.state;
    const rows = new Map<number, Kind>();
    for (const hunk of view.state.field(modelField).hunks) {
      const start = view.lineBlockAt(hunk.fromB < doc.lines ? doc.line(hunk.fromB + 1).from : doc.length);
      const end = hunk.toB > hunk.fromB + 1 ? view.lineBlockAt(doc.line(hunk.toB).from).bottom : start.top;
      const kind = hunk.done
        ? 'done'
        : hunk.fromA === hunk.toA
          ? 'added'
          : hunk.fromB === hunk.toB
            ? 'removed'
            : 'changed';
      const last = Math.floor(((end / whole) * height) / ROW);
      for (let row = Math.floor(((start.top / whole) * height) / ROW); row <= last; row++) rows.set(row, kind);
    }
    const key = [...rows].join(';');
    if (key === this.#drawn) return;
    this.#drawn = key;
    const ticks: HTMLElement[] = [];
    for (const [row, kind] of rows) {
      const tick = element('div', `tandem-review-tick tandem-review-${kind}`);
      tick.style.top = `${row * ROW}px`;
      ticks.push(tick);
    }
    this.dom.replaceChildren(...ticks);
  }
}
