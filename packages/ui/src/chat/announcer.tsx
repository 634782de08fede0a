import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import type { OpenChat } from './open-chat.ts';

/**
 * What a screen reader says while an agent writes: whole paragraphs once they are done, and what needs an answer. The
 * list itself would have it stammer word by word.
 */
export function Announcer({ chat }: { chat: OpenChat }) {
  const { items, asks, running } = chat.conversation.value;
  const [said, say] = useState('');
  const spoken = useRef<{ key: string; to: number }>({ key: items.at(-1)?.key ?? '', to: Number.POSITIVE_INFINITY });
  const [ask] = asks;
  useEffect(() => {
    if (ask)
      say(ask.type === 'permission' ? t('Asks for permission: {0}', ask.request.call.title) : t('Asks a question'));
  }, [ask?.id]);
  useEffect(() => {
    const last = items.at(-1);
    if (last?.type !== 'message' || last.role !== 'agent') return;
    if (spoken.current.key !== last.key) spoken.current = { key: last.key, to: 0 };
    const end = running === undefined ? last.text.length : last.text.lastIndexOf('\n\n');
    if (end <= spoken.current.to) return;
    say(last.text.slice(spoken.current.to, end).trim().slice(-2000));
    spoken.current = { key: last.key, to: end };
  }, [items, running]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-label={t('The agent says')}>
      {said !== '' && said}
    </div>
  );
}
