/** Small helpers that put text in as text and nothing else. */

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const result = document.createElement(name);
  result.className = className;
  result.append(...children);
  return result;
}

const SVG = 'http://www.w3.org/2000/svg';

const ICONS = {
  check: 'M3.5 8.5l3 3 6-7',
  undo: 'M6.5 3.5L3 7l3.5 3.5M3.5 7H9a3.5 3.5 0 0 1 0 7H7',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  all: 'M4.5 6L8 2.5 11.5 6M4.5 10L8 13.5 11.5 10',
} as const;

export function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('tandem-review-icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(className: string, label: string, content: Node | string, run: () => void): HTMLButtonElement {
  const result = element('button', className, content);
  result.type = 'button';
  if (typeof content !== 'string') result.setAttribute('aria-label', label);
  result.title = label;
  // The caret stays where it is in the text.
  result.addEventListener('mousedown', (event) => event.preventDefault());
  result.addEventListener('click', (event) => {
    event.preventDefault();
    event.stopPropagation();
    run();
  });
  return result;
}
