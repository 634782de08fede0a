import { t } from '../l10n/t.ts';
import { element } from './dom.ts';
import { Ruler } from './ruler.ts';
import type { Mode } from './state.ts';

export interface Labels {
  readonly before: string;
  readonly proposed: string;
}

/** The elements around the editors: headings, the scrolled part, the ruler of changes and the voice. */
export class Frame {
  readonly dom: HTMLElement;
  readonly left = element('div', 'tandem-review-pane tandem-review-left');
  readonly right = element('div', 'tandem-review-pane tandem-review-right');
  readonly ruler: Ruler;
  readonly #scroller: HTMLElement;
  readonly #voice = element('div', 'tandem-review-voice');

  constructor(parent: HTMLElement, labels: Labels) {
    this.#voice.setAttribute('aria-live', 'polite');
    const panes = element('div', 'tandem-review-panes', this.left, this.right);
    this.#scroller = element('div', 'tandem-review-scroller', panes);
    this.ruler = new Ruler(this.#scroller);
    const title = (className: string, label: string) =>
      element('span', `tandem-review-title ${className}`, element('span', 'tandem-review-swatch'), label);
    this.dom = element(
      'section',
      'tandem-review',
      element(
        'div',
        'tandem-review-head',
        title('tandem-review-removed', labels.before),
        title('tandem-review-added', labels.proposed),
      ),
      element('div', 'tandem-review-body', this.#scroller, this.ruler.dom),
      this.#voice,
    );
    this.dom.setAttribute('aria-label', t('Review of the proposed change'));
    parent.append(this.dom);
  }

  /** What of the screen the text has. */
  get room(): DOMRect {
    return this.#scroller.getBoundingClientRect();
  }

  setMode(mode: Mode): void {
    this.dom.dataset.mode = mode;
  }

  say(text: string): void {
    this.#voice.textContent = text;
  }

  noteField(id: number): HTMLTextAreaElement | undefined {
    return this.dom.querySelector<HTMLTextAreaElement>(`textarea[data-note="${id}"]`) ?? undefined;
  }

  destroy(): void {
    this.dom.remove();
  }
}
