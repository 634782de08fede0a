import { type SyntaxNode, type Tree, TreeFragment } from '@lezer/common';
import { parser as commonMark, GFM } from '@lezer/markdown';

const parser = commonMark.configure(GFM);

/** A text that grows at its end: what was parsed before is used again. */
export class MarkdownDocument {
  text = '';
  tree: Tree | undefined;
  /** Where `[words][label]` leads; another object when one of them changed. */
  references: ReadonlyMap<string, string> = new Map();

  update(text: string): void {
    if (this.tree && text === this.text) return;
    const grows = this.tree && text.startsWith(this.text);
    const change = { fromA: this.text.length, toA: this.text.length, fromB: this.text.length, toB: text.length };
    const fragments =
      grows && this.tree ? TreeFragment.applyChanges(TreeFragment.addTree(this.tree), [change]) : undefined;
    this.tree = parser.parse(text, fragments);
    this.text = text;
    this.#follow();
  }

  /** The children of the document, in their order. */
  *blocks(): Iterable<SyntaxNode> {
    for (let node = this.tree?.topNode.firstChild; node; node = node.nextSibling) yield node;
  }

  #follow(): void {
    const found = new Map<string, string>();
    for (const block of this.blocks()) {
      if (block.name !== 'LinkReference') continue;
      const [label, url] = [block.getChild('LinkLabel'), block.getChild('URL')];
      if (label && url) found.set(labelOf(this.slice(label)), this.slice(url));
    }
    const same =
      found.size === this.references.size && [...found].every(([key, url]) => this.references.get(key) === url);
    if (!same) this.references = found;
  }

  slice(node: { from: number; to: number }): string {
    return this.text.slice(node.from, node.to);
  }
}

/** As CommonMark compares labels. */
export function labelOf(written: string): string {
  return written
    .replace(/^\[|\]$/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
