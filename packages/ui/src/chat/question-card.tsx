import type { Question, QuestionRequest } from '@tandem/chat/view';
import { useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { ChatIcon } from './icons.tsx';
import type { OpenChat } from './open-chat.ts';

interface Answer {
  readonly picked: readonly string[];
  readonly own: string;
}
type Answers = Readonly<Record<string, Answer>>;
const BLANK: Answer = { picked: [], own: '' };

export function QuestionCard({ request, chat, calm }: { request: QuestionRequest; chat: OpenChat; calm: boolean }) {
  // What was typed in this very moment counts too, drawn or not.
  const answers = useRef<Answers>({});
  const [, redraw] = useState(0);
  const [sent, setSent] = useState(false);
  const isComplete = () => request.questions.every(({ key }) => textOf(answers.current[key]) !== '');
  const change = (key: string, by: (answer: Answer) => Answer) => {
    answers.current = { ...answers.current, [key]: by(answers.current[key] ?? BLANK) };
    redraw((count) => count + 1);
  };
  const send = async (given: Readonly<Record<string, string>> | undefined) => {
    if (!calm || sent) return;
    setSent(true);
    const vote = await chat.perform({ do: 'question', id: request.id, ...(given ? { answers: given } : {}) });
    if (vote === undefined) setSent(false);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isComplete()) return;
    void send(Object.fromEntries(request.questions.map(({ key }) => [key, textOf(answers.current[key])])));
  };
  return (
    <form onSubmit={submit}>
      {request.questions.map((question) => (
        <QuestionField
          key={question.key}
          question={question}
          answer={answers.current[question.key] ?? BLANK}
          change={(by) => change(question.key, by)}
        />
      ))}
      <div class="ask-options">
        <button type="submit" class="accept" disabled={sent} aria-disabled={!calm || !isComplete()}>
          {t('Answer')}
        </button>
        <button type="button" class="reject" disabled={sent} onClick={() => void send(undefined)}>
          {t('Decline')}
        </button>
      </div>
    </form>
  );
}

function textOf(answer: Answer | undefined): string {
  if (!answer) return '';
  return [...answer.picked, ...(answer.own.trim() === '' ? [] : [answer.own.trim()])].join(', ');
}

interface FieldProps {
  readonly question: Question;
  readonly answer: Answer;
  readonly change: (by: (answer: Answer) => Answer) => void;
}

function QuestionField({ question, answer, change }: FieldProps) {
  const { multiSelect, options, key } = question;
  const pick = (label: string) =>
    change(({ picked, own }) => {
      if (!multiSelect) return { picked: [label], own: '' };
      const others = picked.filter((each) => each !== label);
      return { own, picked: others.length < picked.length ? others : [...picked, label] };
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
    if (!option) return;
    event.preventDefault();
    pick(option.label);
  };
  return (
    <fieldset class="question" onKeyDown={onKeyDown}>
      <legend>
        <ChatIcon name="ask" />
        {question.header && <span class="pill">{question.header}</span>}
        {question.question}
      </legend>
      {options.map(({ label, description }, i) => (
        <label key={label} class="choice">
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={`question-${key}`}
            {...(i === 0 ? { 'data-answer': true } : {})}
            checked={answer.picked.includes(label)}
            onChange={() => pick(label)}
          />
          <span>
            {i < 9 && (
              <span class="key" aria-hidden="true">
                {i + 1}
              </span>
            )}{' '}
            {label}
            {description && <span class="hint"> {description}</span>}
          </span>
        </label>
      ))}
      <input
        type="text"
        class="own-answer"
        placeholder={options.length > 0 ? t('Something else…') : t('Your answer…')}
        aria-label={t('Your own answer to: {0}', question.question)}
        {...(options.length === 0 ? { 'data-answer': true } : {})}
        value={answer.own}
        onInput={(event) => {
          const own = event.currentTarget.value;
          change(({ picked }) => ({ picked: multiSelect ? picked : [], own }));
        }}
      />
    </fieldset>
  );
}
