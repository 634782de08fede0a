import type { SyntaxNode } from '@lezer/common';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../l10n/t.ts';
import { CodeBlock } from './code-block.tsx';
import { labelOf, MarkdownDocument } from './document.ts';
import { entity } from './entities.ts';
import { targetOf } from './links.ts';
import { Table } from './table.tsx';

/** What links and copy buttons need of the panel. */
export interface MarkdownHost {
  readonly folders: readonly string[];
  openFile(path: string, line?: number): void;
  copy(text: string): Promise<boolean>;
}

/**
 * Markdown as elements of our own making: there is no way from the text to HTML. While the text grows, only what
 * changed is made anew; the same element object tells Preact that there is nothing to compare.
 */
export function Markdown({ text, host, live = false }: { text: string; host: MarkdownHost; live?: boolean }) {
  const painter = useRef<Painter>(undefined);
  painter.current ??= new Painter();
  return <div class="markdown">{painter.current.paint(text, host, live)}</div>;
}

type Child = VNode | string | null;

interface Painted {
  readonly text: string;
  readonly live: boolean;
  readonly element: VNode | null;
}

export class Painter {
  readonly #document = new MarkdownDocument();
  #painted = new Map<string, Painted>();
  #next = new Map<string, Painted>();
  #references: ReadonlyMap<string, string> | undefined;
  #host: MarkdownHost = { folders: [], openFile: () => {}, copy: async () => false };
  /** Whether the block at hand is the one that still grows. */
  #live = false;

  paint(text: string, host: MarkdownHost, live: boolean): Child[] {
    this.#document.update(text);
    const fresh = this.#references !== this.#document.references || this.#host.folders !== host.folders;
    if (fresh) this.#painted = new Map();
    this.#references = this.#document.references;
    this.#host = host;
    this.#next = new Map();
    const blocks = [...this.#document.blocks()];
    const elements = blocks.map((block, i) => {
      this.#live = live && i === blocks.length - 1;
      return this.#kept(block);
    });
    this.#painted = this.#next;
    return elements;
  }

  /** The element from before, if its text is the same. */
  #kept(node: SyntaxNode): VNode | null {
    const key = `${node.from}${node.name}`;
    const text = this.#document.slice(node);
    const before = this.#painted.get(key);
    const same = before && before.text === text && before.live === this.#live;
    const painted = same ? before : { text, live: this.#live, element: this.#block(node) };
    this.#next.set(key, painted);
    if (same) this.#keepItems(node);
    return painted.element;
  }

  #keepItems(node: SyntaxNode): void {
    for (let item = node.firstChild; item; item = item.nextSibling) {
      const key = `${item.from}${item.name}`;
      const before = this.#painted.get(key);
      if (before) this.#next.set(key, before);
    }
  }

  #block(node: SyntaxNode): VNode | null {
    const key = node.from;
    const heading = /^(?:ATX|Setext)Heading([1-6])$/.exec(node.name)?.[1];
    if (heading !== undefined) return this.#heading(node, Number(heading));
    switch (node.name) {
      case 'Paragraph':
        return <p key={key}>{this.#inline(node)}</p>;
      case 'BulletList':
        return <ul key={key}>{this.#items(node)}</ul>;
      case 'OrderedList':
        return (
          <ol key={key} start={Number.parseInt(this.#document.slice(node), 10) || 1}>
            {this.#items(node)}
          </ol>
        );
      case 'ListItem':
        return <li key={key}>{this.#blocks(node)}</li>;
      case 'Task':
        return this.#task(node);
      case 'Blockquote':
        return <blockquote key={key}>{this.#blocks(node)}</blockquote>;
      case 'FencedCode':
      case 'CodeBlock':
        return this.#code(node);
      case 'HorizontalRule':
        return <hr key={key} />;
      case 'Table':
        return <Table key={key} node={node} text={this.#document.text} inline={(cell) => this.#inline(cell)} />;
      case 'LinkReference':
        return null;
      case 'HTMLBlock':
      case 'CommentBlock':
      case 'ProcessingInstructionBlock':
        return (
          <p key={key} class="raw">
            {this.#document.slice(node)}
          </p>
        );
      default:
        return null; // marks
    }
  }

  #heading(node: SyntaxNode, level: number): VNode {
    // A message is no page: its headings stand below the panel's own.
    const Heading = `h${Math.min(level + 2, 6)}` as 'h3';
    return (
      <Heading key={node.from} class={`heading-${level}`}>
        {this.#inline(node)}
      </Heading>
    );
  }

  #blocks(node: SyntaxNode): Child[] {
    const found: Child[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) found.push(this.#block(child));
    return found;
  }

  #items(node: SyntaxNode): Child[] {
    const found: Child[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) found.push(this.#kept(child));
    return found;
  }

  #task(node: SyntaxNode): VNode {
    const marker = node.getChild('TaskMarker');
    const done = marker !== null && /x/i.test(this.#document.slice(marker));
    return (
      <p key={node.from} class="task">
        <input type="checkbox" checked={done} disabled aria-label={done ? t('done') : t('to do')} />
        {this.#inline(node)}
      </p>
    );
  }

  #code(node: SyntaxNode): VNode {
    const info = node.getChild('CodeInfo');
    let code = '';
    for (const part of node.getChildren('CodeText')) code += this.#document.slice(part);
    const language = info ? (this.#document.slice(info).split(/[\s{,:]/, 1)[0] ?? '') : '';
    return <CodeBlock key={node.from} code={code} language={language} live={this.#live} copy={this.#host.copy} />;
  }

  /** The text between a node's marks, with what stands in it. */
  #inline(node: SyntaxNode, from = node.from, to = node.to): Child[] {
    const found: Child[] = [];
    let at = from;
    const say = (end: number) => {
      if (end > at) found.push(this.#document.text.slice(at, end));
    };
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.from < from || child.to > to) continue;
      say(child.from);
      found.push(this.#span(child));
      at = child.to;
    }
    say(to);
    // Marks leave a gap behind them.
    const first = found.findIndex((each) => each !== null);
    const words = found[first];
    if (typeof words === 'string' && first > 0) found[first] = words.trimStart();
    return found;
  }

  #span(node: SyntaxNode): Child {
    const key = node.from;
    switch (node.name) {
      case 'Emphasis':
        return <em key={key}>{this.#inline(node)}</em>;
      case 'StrongEmphasis':
        return <strong key={key}>{this.#inline(node)}</strong>;
      case 'Strikethrough':
        return <del key={key}>{this.#inline(node)}</del>;
      case 'InlineCode':
        return <code key={key}>{this.#inlineCode(node)}</code>;
      case 'Link':
        return this.#link(node);
      case 'Image':
        return this.#link(node, true);
      case 'Autolink':
      case 'URL':
        return this.#address(node);
      case 'HardBreak':
        return <br key={key} />;
      case 'Escape':
        return this.#document.slice(node).slice(1);
      case 'Entity':
        return entity(this.#document.slice(node));
      case 'HTMLTag':
      case 'Comment':
      case 'ProcessingInstruction':
        return this.#document.slice(node); // as it is written, never as what it means
      default:
        return node.name.endsWith('Mark') || node.name === 'TaskMarker' ? null : this.#document.slice(node);
    }
  }

  #inlineCode(node: SyntaxNode): string {
    const [open, close] = node.getChildren('CodeMark');
    const code = this.#document.text.slice(open?.to ?? node.from, close?.from ?? node.to).replaceAll('\n', ' ');
    return /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code;
  }

  #link(node: SyntaxNode, picture = false): Child {
    const [open, close] = node.getChildren('LinkMark');
    const [from, to] = [open?.to ?? node.from, close?.from ?? node.to];
    const url = node.getChild('URL');
    const label = node.getChild('LinkLabel');
    const named = labelOf(
      label && label.to - label.from > 2 ? this.#document.slice(label) : this.#document.text.slice(from, to),
    );
    const written = url ? this.#document.slice(url).replace(/^<|>$/g, '') : this.#document.references.get(named);
    // Without a place to lead to, brackets are only brackets.
    if (written === undefined) {
      const { text } = this.#document;
      return (
        <span key={node.from}>
          {text.slice(node.from, from)}
          {this.#inline(node, from, to)}
          {text.slice(to, node.to)}
        </span>
      );
    }
    const words = picture ? [`🖼 ${this.#document.text.slice(from, to) || t('picture')}`] : this.#inline(node, from, to);
    return this.#anchor(node.from, written, words);
  }

  #address(node: SyntaxNode): Child {
    const written = this.#document.slice(node).replace(/^<|>$/g, '');
    const mail = /^[^\s@/:]+@[^\s@]+$/.test(written) ? `mailto:${written}` : undefined;
    const bare = /^www\./i.test(written) ? `https://${written}` : written;
    return this.#anchor(node.from, mail ?? bare, [written]);
  }

  #anchor(key: number, written: string, words: Child[]): Child {
    const target = targetOf(written, this.#host.folders);
    if (target.kind === 'none') return <span key={key}>{words}</span>;
    if (target.kind === 'web') {
      return (
        <a key={key} href={target.href} target="_blank" rel="noopener noreferrer" title={target.href}>
          {words}
        </a>
      );
    }
    const { path, line } = target;
    return (
      <button
        key={key}
        type="button"
        class="link file-link"
        title={path}
        onClick={() => this.#host.openFile(path, line)}
      >
        {words}
      </button>
    );
  }
}
