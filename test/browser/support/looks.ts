import type { Page } from 'playwright-core';

/** Relative luminance of an rgb() colour. */
export function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((one, two) => two - one) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Every text that can be seen, with its colour and what lies behind it. */
export function colours(page: Page): Promise<{ text: string; colour: string; behind: string }[]> {
  return page.evaluate(`(() => {
    const behind = (element) => {
      for (let each = element; each; each = each.parentElement) {
        const colour = getComputedStyle(each).backgroundColor;
        if (colour.startsWith('rgb(')) return colour; // one that lets nothing through
      }
      return 'rgb(255, 255, 255)';
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.data.trim();
      if (text === '' || element.closest('.visually-hidden, noscript, .toasts') || !element.checkVisibility()) continue;
      if (element.closest(':disabled, .cm-gutters, .tandem-review')) continue;
      found.push({ text: text.slice(0, 40), colour: getComputedStyle(element).color, behind: behind(element) });
    }
    return found;
  })()`);
}
