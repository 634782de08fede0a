import type { EditorView } from '@codemirror/view';
import { element } from './dom.ts';
import type { Hunk } from './model.ts';
import { modelField } from './state.ts';

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
    const ticks: { top: number; bottom: number; kind: Kind }[] = [];
    for (const hunk of view.state.field(modelField).hunks) {
      const start = view.lineBlockAt(hunk.fromB < doc.lines ? doc.line(hunk.fromB + 1).from : doc.length);
      const end = hunk.toB > hunk.fromB + 1 ? view.lineBlockAt(doc.line(hunk.toB).from).bottom : start.top;
      const top = Math.floor((start.top / whole) * height);
      const bottom = Math.max(top + 2, Math.ceil((end / whole) * height));
      const kind = kindOf(hunk);
      const last = ticks.at(-1);
      if (last && top <= last.bottom && last.kind === kind) last.bottom = Math.max(last.bottom, bottom);
      else if (!last || top > last.top) ticks.push({ top, bottom, kind });
    }
    const key = JSON.stringify(ticks);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const elements = ticks.map(({ top, bottom, kind }) => {
      const tick = element('div', `tandem-review-tick tandem-review-${kind}`);
      tick.style.top = `${top}px`;
      tick.style.height = `${bottom - top}px`;
      return tick;
    });
    this.dom.replaceChildren(...elements);
  }
}

function kindOf(hunk: Hunk): Kind {
  if (hunk.done) return 'done';
  if (hunk.fromA === hunk.toA) return 'added';
  return hunk.fromB === hunk.toB ? 'removed' : 'changed';
}
