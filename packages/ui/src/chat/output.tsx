import { useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { CopyButton } from './copy-button.tsx';
import type { OpenChat } from './open-chat.ts';
import { plain, tailOf } from './output-text.ts';
import { ScrollBox } from './scroll-box.tsx';

const TAIL_LINES = 40;
const TAIL_CHARACTERS = 8000;
/** Each piece is laid out only when it comes near. */
const PIECE = 16_000;

interface OutputProps {
  readonly text: string;
  readonly chat: OpenChat;
  readonly id: string;
  readonly note?: string;
}

/** What a program wrote: its end, and all of it when asked for. */
export function Output({ text, chat, id, note = '' }: OutputProps) {
  const [, redraw] = useState(0);
  const all = chat.folds.get(`${id}/all`) ?? false;
  const tail = tailOf(text, TAIL_LINES, TAIL_CHARACTERS);
  const cut = tail.length < text.length;
  const turn = () => {
    chat.folds.set(`${id}/all`, !all);
    redraw((count) => count + 1);
  };
  return (
    <div class="output">
      <div class="code-head">
        <span>{note || t('output')}</span>
        {cut && (
          <button type="button" class="link" onClick={turn}>
            {all ? t('Only the end') : t('Show all ({0})', sizeOf(text.length))}
          </button>
        )}
        <CopyButton text={() => plain(text)} copy={chat.around.copy} label={t('Copy the output')} />
      </div>
      <ScrollBox class={all ? 'output-text whole' : 'output-text'} label={t('Output')}>
        {all ? pieces(plain(text)).map((piece, i) => <pre key={i}>{piece}</pre>) : <pre>{plain(tail)}</pre>}
      </ScrollBox>
    </div>
  );
}

/** Cut at the ends of lines. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const wanted = at + PIECE;
    const line = wanted >= text.length ? text.length : text.indexOf('\n', wanted);
    // A line without an end is cut anyway.
    const end = line < 0 || line > wanted + PIECE ? Math.min(wanted, text.length) : line;
    found.push(text.slice(at, end));
    at = end === line && line < text.length ? end + 1 : end;
  }
  return found;
}

function sizeOf(characters: number): string {
  return characters < 1_000_000 ? `${Math.ceil(characters / 1000)} KB` : `${(characters / 1_000_000).toFixed(1)} MB`;
}
