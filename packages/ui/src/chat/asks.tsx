import type { Ask, DiffContent, PermissionOption, PermissionRequest } from '@tandem/chat/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { wayTo } from '../paths.ts';
import { moveAlong } from './arrows.ts';
import { DiffPreview } from './diff-preview.tsx';
import { ChatIcon } from './icons.tsx';
import { markdownHost } from './items.tsx';
import { Markdown } from './markdown/markdown.tsx';
import type { OpenChat } from './open-chat.ts';
import { QuestionCard } from './question-card.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** A key that was meant for the card before this one must not decide it. */
const CALM_MS = 250;

/** What waits for an answer, above the field where one writes. It never takes the keyboard by itself. */
export function AskArea({ chat }: { chat: OpenChat }) {
  const area = useRef<HTMLDivElement>(null);
  const { asks } = chat.conversation.value;
  const [ask] = asks;
  const had = useRef(false);
  // The keyboard goes on to the next card only from the card before.
  useEffect(() => {
    if (!had.current || !area.current) return;
    had.current = false;
    const next = area.current.querySelector<HTMLElement>('[data-answer]');
    (next ?? fieldBelow(area.current))?.focus();
  }, [ask?.id]);
  const onFocus = () => (had.current = true);
  const onBlur = (event: FocusEvent) => {
    const to = event.relatedTarget;
    // A card that goes away blurs to nothing; a user who leaves goes somewhere.
    if (to instanceof Node && !area.current?.contains(to)) had.current = false;
  };
  // Escape leads back to where one writes; the question waits on. From there it stops what runs.
  useEffect(() => {
    const box = area.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !box) return;
      event.preventDefault();
      event.stopPropagation();
      fieldBelow(box)?.focus();
    };
    box?.addEventListener('keydown', onKeyDown);
    return () => box?.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div ref={area} class="asks" onFocusIn={onFocus} onFocusOut={onBlur}>
      {ask && <AskCard key={ask.id} ask={ask} chat={chat} more={asks.length - 1} />}
    </div>
  );
}

function fieldBelow(area: HTMLElement): HTMLElement | null | undefined {
  return area.parentElement?.querySelector<HTMLElement>('.composer textarea');
}

function AskCard({ ask, chat, more }: { ask: Ask; chat: OpenChat; more: number }) {
  const [calm, setCalm] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  const label = ask.type === 'permission' ? t('Permission') : t('Question');
  return (
    <section class="ask" aria-label={label}>
      {ask.type === 'permission' ? (
        <PermissionCard request={ask.request} review={ask.review} chat={chat} calm={calm} />
      ) : (
        <QuestionCard request={ask.request} chat={chat} calm={calm} />
      )}
      {more > 0 && <span class="hint">{more === 1 ? t('One more waits.') : t('{0} more wait.', more)}</span>}
    </section>
  );
}

interface PermissionProps {
  readonly request: PermissionRequest;
  readonly review: string | undefined;
  readonly chat: OpenChat;
  readonly calm: boolean;
}

function PermissionCard({ request, review, chat, calm }: PermissionProps) {
  const { call, plan } = request;
  const options = inOrder(request.options);
  const [sent, setSent] = useState(false);
  const answer = async (option: PermissionOption) => {
    if (!calm || sent) return;
    setSent(true);
    const vote = await chat.perform({ do: 'permission', id: request.id, answer: { optionId: option.id } });
    if (vote === undefined) setSent(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
    if (!option) return moveAlong(event, '[data-answer]', 'both');
    event.preventDefault();
    void answer(option);
  };
  const diffs = call.content.filter((content): content is DiffContent => content.type === 'diff');
  const onDesk = review !== undefined && chat.around.reviews.value.has(review);
  return (
    <>
      <div class="ask-head">
        <ChatIcon name={plan === undefined ? call.kind : 'plan'} />
        <div class="ask-title">
          <span class="hint">
            {plan === undefined ? t('{0} asks for permission', chat.agent.name) : t('{0} has a plan', chat.agent.name)}
          </span>
          <strong>{plan === undefined ? call.title || call.tool || call.kind : t('Shall it begin?')}</strong>
        </div>
        {onDesk && (
          <button type="button" class="small" onClick={() => chat.around.showReview(review)}>
            {t('Show the change')}
          </button>
        )}
      </div>
      <Detail request={request} diffs={onDesk ? [] : diffs} chat={chat} />
      {/* biome-ignore lint/a11y/useSemanticElements: buttons that answer at once are no fields of a form */}
      <div class="ask-options" role="group" aria-label={t('Answers')} onKeyDown={onKeyDown}>
        {options.map((option, i) => (
          <button
            key={option.id}
            type="button"
            data-answer
            class={classOf(option, i)}
            disabled={sent}
            aria-disabled={!calm}
            onClick={() => void answer(option)}
          >
            {i < 9 && (
              <span class="key" aria-hidden="true">
                {i + 1}
              </span>
            )}
            {option.name}
          </button>
        ))}
      </div>
    </>
  );
}

const ORDER: readonly PermissionOption['kind'][] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

/** What allows least comes first, because the first key is pressed most easily. Qwen begins with "always". */
function inOrder(options: readonly PermissionOption[]): readonly PermissionOption[] {
  return options.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

function classOf(option: PermissionOption, i: number): string {
  if (option.kind.startsWith('reject')) return 'reject';
  return i === 0 ? 'accept' : '';
}

function Detail({
  request,
  diffs,
  chat,
}: {
  request: PermissionRequest;
  diffs: readonly DiffContent[];
  chat: OpenChat;
}) {
  const { call, plan } = request;
  const input = typeof call.input === 'object' && call.input !== null ? (call.input as { command?: unknown }) : {};
  const command = call.kind === 'execute' && typeof input.command === 'string' ? input.command : undefined;
  const texts = plan !== undefined ? [] : call.content.filter((content) => content.type === 'text');
  // Files that nothing else names: the user must know what a yes is about.
  const shown = call.content.flatMap((content) => (content.type === 'diff' ? [content.path] : []));
  const files = call.kind === 'edit' ? call.locations.filter(({ path }) => !shown.includes(path)) : [];
  const nothing = plan === undefined && command === undefined && diffs.length + texts.length + files.length === 0;
  if (nothing) return null;
  return (
    <ScrollBox class="ask-detail" label={t('What it is about')}>
      {plan !== undefined && <Markdown text={plan} host={markdownHost(chat)} />}
      {command !== undefined && (
        <pre class="command">
          <code>{command}</code>
        </pre>
      )}
      {files.map(({ path }) => (
        <p key={path} class="path">
          {wayTo(chat.around.folders.value, path)}
        </p>
      ))}
      {diffs.map((diff, i) => (
        <DiffPreview key={i} diff={diff} chat={chat} id={`${request.id}/${i}`} />
      ))}
      {command === undefined && texts.map((content, i) => <p key={i}>{content.text.slice(0, 4000)}</p>)}
    </ScrollBox>
  );
}
