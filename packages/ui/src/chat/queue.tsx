import { t } from '../l10n/t.ts';
import { ChatIcon } from './icons.tsx';
import type { OpenChat } from './open-chat.ts';

/** Prompts that wait for the running turn; taken back, they are in the field again. */
export function Queue({ chat }: { chat: OpenChat }) {
  const { queue } = chat.conversation.value;
  if (queue.length === 0) return null;
  const takeBack = async (promptId: string, text: string) => {
    if (!(await chat.perform<boolean>({ do: 'take-back', promptId }))) return;
    const { draft } = chat;
    draft.write(draft.text.value === '' ? text : `${text}\n\n${draft.text.value}`);
  };
  return (
    <ol class="queue" aria-label={t('Waiting prompts')}>
      {queue.map((prompt) => (
        <li key={prompt.promptId}>
          <span class="hint">{t('next')}</span>
          <span class="path" title={prompt.text}>
            {prompt.text}
          </span>
          {prompt.own && (
            <button
              type="button"
              class="bare icon-button"
              aria-label={t('Take back: {0}', prompt.text.slice(0, 60))}
              title={t('Take it back')}
              onClick={() => void takeBack(prompt.promptId, prompt.text)}
            >
              <ChatIcon name="undo" />
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}
