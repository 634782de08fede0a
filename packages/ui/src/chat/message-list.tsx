import type { Item } from '@tandem/chat/view';
import { Component } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { tParts } from '../l10n/t-parts.ts';
import { ChatIcon } from './icons.tsx';
import { ItemView } from './items.tsx';
import type { OpenChat } from './open-chat.ts';

/** Items are drawn in blocks; a block far from what is looked at is only as high as it was. */
const BLOCK = 24;
const MARGIN = '1200px 0px';
const GUESS_PX = 72;
/** So near to the end, the user follows what comes. */
const END_PX = 48;

/** The conversation. Ten thousand items cost no more than those near the eye. */
export function MessageList({ chat }: { chat: OpenChat }) {
  const scroller = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [away, setAway] = useState(false);
  const [observer, setObserver] = useState<BlockObserver>();
  const { items, running, loading } = chat.conversation.value;

  useLayoutEffect(() => {
    if (!scroller.current || !inner.current) return;
    const made = new BlockObserver(scroller.current);
    setObserver(made);
    const follow = new ResizeObserver(() => {
      if (atEnd.current) toEnd(scroller.current);
    });
    follow.observe(inner.current);
    follow.observe(scroller.current);
    return () => {
      made.stop();
      follow.disconnect();
    };
  }, []);
  const onScroll = () => {
    const list = scroller.current;
    if (!list) return;
    atEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < END_PX;
    setAway(!atEnd.current);
  };
  // What the user says is looked at, wherever the list was.
  const last = items.findLast((item) => item.type === 'message' && item.role === 'user' && !item.elsewhere);
  useEffect(() => {
    if (loading) return;
    atEnd.current = true;
    toEnd(scroller.current);
  }, [last?.key]);

  const blocks: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += BLOCK) blocks.push(items.slice(at, at + BLOCK));
  return (
    <div class="messages-frame">
      {/* The announcer speaks for it: a list that changes with every word would not stop talking. */}
      <div
        ref={scroller}
        class="messages"
        role="log"
        aria-live="off"
        aria-label={t('Messages of the conversation')}
        aria-busy={loading || running !== undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must get at it
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={inner} class="messages-inner">
          {items.length === 0 && !loading && <Empty chat={chat} />}
          {observer &&
            blocks.map((block, i) => (
              <Block
                key={block[0]?.key}
                items={block}
                chat={chat}
                observer={observer}
                near={i >= blocks.length - 2}
                live={i === blocks.length - 1 && running !== undefined}
              />
            ))}
          {running !== undefined && <Working />}
        </div>
      </div>
      {away && (
        <button
          type="button"
          class="to-end"
          onClick={() => {
            atEnd.current = true;
            toEnd(scroller.current);
          }}
        >
          <ChatIcon name="down" />
          {running === undefined ? t('To the end') : t('Follow')}
        </button>
      )}
    </div>
  );
}

function toEnd(list: HTMLElement | null): void {
  if (list) list.scrollTop = list.scrollHeight;
}

function Empty({ chat }: { chat: OpenChat }) {
  return (
    <div class="chat-empty">
      <p>{t('{0} works in this folder.', chat.agent.name)}</p>
      <p class="hint">
        {tParts('{0} for its commands, {1} for a file.', <kbd>/</kbd>, <kbd>@</kbd>)}{' '}
        {t('What it wants to change waits for you as a review.')}
      </p>
    </div>
  );
}

function Working() {
  return (
    <div class="working" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

interface BlockProps {
  readonly items: readonly Item[];
  readonly chat: OpenChat;
  readonly observer: BlockObserver;
  /** At the end, where one begins to look. */
  readonly near: boolean;
  /** Holds the item that still grows. */
  readonly live: boolean;
}

/** A few items that are drawn together, or not at all. */
class Block extends Component<BlockProps, { shown: boolean }> {
  override state = { shown: this.props.near };
  #element: HTMLElement | null = null;
  #height = 0;

  override shouldComponentUpdate(next: BlockProps, state: { shown: boolean }): boolean {
    if (state.shown !== this.state.shown || next.live !== this.props.live) return true;
    const { items } = this.props;
    return next.items.length !== items.length || next.items.some((item, i) => item !== items[i]);
  }

  override componentWillUnmount(): void {
    if (this.#element) this.props.observer.unobserve(this.#element);
  }

  readonly #attach = (element: HTMLElement | null) => {
    if (element === this.#element) return;
    if (this.#element) this.props.observer.unobserve(this.#element);
    this.#element = element;
    if (element) this.props.observer.observe(element, (near) => this.#turn(near));
  };

  #turn(near: boolean): void {
    if (near === this.state.shown || (!near && this.props.live)) return;
    // What has the keyboard stays where it is.
    if (!near && this.#element?.contains(document.activeElement)) return;
    if (!near) this.#height = this.#element?.offsetHeight ?? 0;
    this.setState({ shown: near });
  }

  override render({ items, chat, live }: BlockProps, { shown }: { shown: boolean }) {
    const height = this.#height || items.length * GUESS_PX;
    return (
      <div class="block" ref={this.#attach} style={shown ? {} : { height: `${height}px` }}>
        {shown &&
          items.map((item, i) => (
            <ItemView key={item.key} item={item} chat={chat} live={live && i === items.length - 1} />
          ))}
      </div>
    );
  }
}

class BlockObserver {
  readonly #observer: IntersectionObserver;
  readonly #heard = new Map<Element, (near: boolean) => void>();

  constructor(root: HTMLElement) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.#heard.get(target)?.(isIntersecting);
      },
      { root, rootMargin: MARGIN },
    );
  }

  observe(element: Element, heard: (near: boolean) => void): void {
    this.#heard.set(element, heard);
    this.#observer.observe(element);
  }

  unobserve(element: Element): void {
    this.#heard.delete(element);
    this.#observer.unobserve(element);
  }

  stop(): void {
    this.#observer.disconnect();
  }
}
