import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Text, t } from '../l10n/t.ts';
import type { Question, Store } from './store.ts';

/** A window over the page that keeps the keyboard until it is closed, and gives it back. */
export function Dialog({
  label,
  close,
  children,
}: {
  label: string;
  close: () => void;
  children: preact.ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close(); // gives the keyboard back
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  const onClick = (event: MouseEvent) => event.target === element.current && close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is on what lies around it
    <dialog ref={element} aria-label={label} onCancel={onCancel} onClick={onClick}>
      <div class="dialog">{children}</div>
    </dialog>
  );
}

export function QuestionDialog({ store, question }: { store: Store; question: Question }) {
  const main = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => main.current?.focus(), []);
  const close = () => (store.question.value = undefined);
  return (
    <Dialog label={question.title} close={close}>
      <h1>{question.title}</h1>
      <p>{question.text}</p>
      <div class="answers">
        {question.answers.map((answer) => (
          <button
            key={answer.label}
            type="button"
            class={answer.main ? 'primary' : ''}
            {...(answer.main ? { ref: main } : {})}
            onClick={() => {
              close();
              answer.run();
            }}
          >
            {answer.label}
          </button>
        ))}
      </div>
    </Dialog>
  );
}

const KEYS: readonly (readonly [Text, readonly (readonly [string, Text])[]])[] = [
  [
    'Anywhere',
    [
      ['Ctrl P', 'go to a file'],
      ['Alt 1 … 5', 'files, reviews, agents, context, problems'],
      ['Alt 6', 'chat: to what waits, or to the field'],
      ['Alt 0', 'back to the text'],
      ['Alt .', 'next review'],
      ['Alt ,', 'previous review'],
      ['F1', 'this help'],
    ],
  ],
  [
    'Text',
    [
      ['Ctrl S', 'save'],
      ['Ctrl F', 'search and replace'],
      ['Ctrl D', 'select the next match too'],
      ['Ctrl Alt ↑ ↓', 'another caret above, below'],
      ['Alt PgUp PgDn', 'previous, next tab'],
      ['Alt W', 'close the tab'],
      ['Esc → Tab', 'leave the text'],
    ],
  ],
  [
    'Review',
    [
      ['F7, Shift F7', 'next, previous change'],
      ['Alt Enter', 'keep this change'],
      ['Shift Alt Enter', 'put the old lines back'],
      ['Ctrl Alt M', 'note on this line'],
      ['Ctrl Enter', 'accept'],
      ['Ctrl Shift Backspace', 'reject'],
    ],
  ],
  [
    'Chat',
    [
      ['Enter, Shift Enter', 'send, new line'],
      ['/, @', 'commands, files'],
      ['Esc', 'stop'],
      ['↑', 'in the empty field: to what waits; the last prompt'],
      ['1 … 9', 'answer'],
    ],
  ],
  [
    'Tree of files',
    [
      ['↑ ↓ ← →', 'move, fold and unfold'],
      ['Enter', 'open'],
      ['F2', 'rename'],
    ],
  ],
];

export function HelpDialog({ close }: { close: () => void }) {
  return (
    <Dialog label={t('Keyboard')} close={close}>
      <div class="dialog-head">
        <h1>{t('Keyboard')}</h1>
        <button type="button" onClick={close}>
          {t('Close')}
        </button>
      </div>
      <div class="keys">
        {KEYS.map(([title, keys]) => (
          <section key={title}>
            <h2>{t(title)}</h2>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{t(what)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
