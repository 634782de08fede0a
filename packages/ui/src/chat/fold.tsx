import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { ChatIcon } from './icons.tsx';
import type { OpenChat } from './open-chat.ts';

interface FoldProps {
  readonly chat: OpenChat;
  readonly id: string;
  readonly class: string;
  readonly head: ComponentChildren;
  /** Stands beside the head, and is pressed on its own. */
  readonly tools?: ComponentChildren;
  readonly open?: boolean;
  /** Made only when it is seen. */
  readonly children: () => ComponentChildren;
}

/** A line that unfolds. What the user chose outlives the drawing. */
export function Fold({ chat, id, class: name, head, tools, open: initially = false, children }: FoldProps) {
  const [, redraw] = useState(0);
  const body = useId();
  const open = chat.folds.get(id) ?? initially;
  const onClick = () => {
    chat.folds.set(id, !open);
    redraw((count) => count + 1);
  };
  return (
    <div class={`fold ${name} ${open ? 'open' : ''}`}>
      <div class="fold-line">
        <button type="button" class="fold-head" aria-expanded={open} aria-controls={body} onClick={onClick}>
          {head}
          <span class="fold-twist">
            <ChatIcon name={open ? 'open' : 'right'} />
          </span>
        </button>
        {tools}
      </div>
      <div class="fold-body" id={body} hidden={!open}>
        {open && children()}
      </div>
    </div>
  );
}
