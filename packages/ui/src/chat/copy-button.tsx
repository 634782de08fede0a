import { useEffect, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { ChatIcon } from './icons.tsx';

export interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly copy: (text: string) => Promise<boolean>;
  readonly label: string;
}

/** Says by itself that it did. */
export function CopyButton({ text, copy, label }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const onClick = () => void copy(typeof text === 'function' ? text() : text).then(setDone);
  return (
    <button type="button" class="bare icon-button" aria-label={label} title={label} onClick={onClick}>
      <ChatIcon name={done ? 'check' : 'copy'} />
      {done && (
        <span class="visually-hidden" role="status">
          {t('Copied.')}
        </span>
      )}
    </button>
  );
}
