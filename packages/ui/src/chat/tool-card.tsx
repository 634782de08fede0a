import type { DiffContent, Location, ToolCall, ToolContent, ToolKind } from '@tandem/chat/view';
import { type Text, t } from '../l10n/t.ts';
import { nameOf, wayTo } from '../paths.ts';
import { DiffPreview, diffSize } from './diff-preview.tsx';
import { Fold } from './fold.tsx';
import { ChatIcon } from './icons.tsx';
import { imageSource } from './items.tsx';
import type { OpenChat } from './open-chat.ts';
import { Output } from './output.tsx';

const STATUS = { pending: 'waits', running: 'runs', completed: 'done', failed: 'failed' } as const;
const KINDS: Readonly<Record<Exclude<ToolKind, 'other'>, Text>> = {
  read: 'Reads: ',
  edit: 'Edits: ',
  delete: 'Deletes: ',
  move: 'Moves: ',
  search: 'Searches: ',
  execute: 'Runs: ',
  think: 'Thinks: ',
  fetch: 'Fetches: ',
  switch_mode: 'Changes the mode: ',
};
const MAX_LOCATIONS = 6;

interface ToolCardProps {
  readonly call: ToolCall;
  readonly review: string | undefined;
  readonly chat: OpenChat;
  readonly id: string;
}

/** One thing the agent does: what, where, how it goes, and what came of it. */
export function ToolCard({ call, review, chat, id }: ToolCardProps) {
  const diffs = call.content.filter((content): content is DiffContent => content.type === 'diff');
  const size = diffs.length > 0 ? sizeOf(diffs) : undefined;
  const status = call.shell?.exitCode ? 'failed' : call.status;
  const waiting = review !== undefined && chat.around.reviews.value.has(review);
  return (
    <Fold
      chat={chat}
      id={id}
      class={`tool ${status}`}
      open={status === 'failed' || (call.kind === 'execute' && status === 'running')}
      head={
        <>
          <ChatIcon name={call.kind} />
          <span class="visually-hidden">{call.kind === 'other' ? '' : t(KINDS[call.kind])}</span>
          <span class="fold-title path" title={call.title}>
            {call.title || call.tool || call.kind}
          </span>
          {size && (
            <span class="diff-size">
              <span class="added">+{size.added}</span> <span class="removed">−{size.removed}</span>
            </span>
          )}
          <span class={`tool-status ${status}`}>
            {status === 'completed' ? (
              <ChatIcon name="check" />
            ) : status === 'failed' ? (
              <ChatIcon name="failed" />
            ) : null}
            <span class={status === 'completed' ? 'visually-hidden' : ''}>
              {call.shell?.exitCode ? t('exit {0}', call.shell.exitCode) : t(STATUS[status])}
            </span>
          </span>
        </>
      }
      tools={
        waiting &&
        review !== undefined && (
          <button type="button" class="small" onClick={() => chat.around.showReview(review)}>
            {t('Review')}
          </button>
        )
      }
    >
      {() => <Body call={call} chat={chat} id={id} />}
    </Fold>
  );
}

function sizeOf(diffs: readonly DiffContent[]): { added: number; removed: number } {
  const sizes = diffs.map(diffSize);
  return {
    added: sizes.reduce((sum, each) => sum + each.added, 0),
    removed: sizes.reduce((sum, each) => sum + each.removed, 0),
  };
}

function Body({ call, chat, id }: { call: ToolCall; chat: OpenChat; id: string }) {
  const command = commandOf(call);
  return (
    <>
      {call.locations.length > 0 && <Locations locations={call.locations} chat={chat} />}
      {command && (
        <pre class="command">
          <code>{command}</code>
        </pre>
      )}
      {call.shell ? (
        <Output text={call.shell.output} chat={chat} id={id} note={shellNote(call.shell)} />
      ) : (
        call.content.map((content, i) => <Content key={i} content={content} chat={chat} id={`${id}/${i}`} />)
      )}
      {call.shell &&
        call.content
          .filter((content) => content.type === 'diff' || content.type === 'image')
          .map((content, i) => <Content key={i} content={content} chat={chat} id={`${id}/${i}`} />)}
      {!call.shell && call.content.length === 0 && !command && (
        <p class="hint">{call.status === 'completed' ? t('It said nothing.') : t('Nothing yet.')}</p>
      )}
    </>
  );
}

/** The whole command, where the title may have been cut. */
function commandOf(call: ToolCall): string | undefined {
  if (call.kind !== 'execute' || typeof call.input !== 'object' || call.input === null) return undefined;
  const { command } = call.input as { command?: unknown };
  return typeof command === 'string' ? command.slice(0, 20_000) : undefined;
}

function shellNote({ exitCode, signal, truncated }: NonNullable<ToolCall['shell']>): string {
  const parts = [
    exitCode === undefined ? '' : t('exit {0}', exitCode),
    signal ? t('ended by {0}', signal) : '',
    truncated ? t('cut by the agent') : '',
  ];
  return parts.filter((part) => part !== '').join(t(', '));
}

function Locations({ locations, chat }: { locations: readonly Location[]; chat: OpenChat }) {
  const folders = chat.around.folders.value;
  const shown = locations.slice(0, MAX_LOCATIONS);
  return (
    <ul class="locations" aria-label={t('Where')}>
      {shown.map(({ path, line }, i) => (
        <li key={i}>
          <button type="button" class="link file-link" title={path} onClick={() => chat.around.openFile(path, line)}>
            {wayTo(folders, path)}
            {line === undefined ? '' : `:${line + 1}`}
          </button>
        </li>
      ))}
      {locations.length > shown.length && <li class="hint">{t('and {0} more', locations.length - shown.length)}</li>}
    </ul>
  );
}

function Content({ content, chat, id }: { content: ToolContent; chat: OpenChat; id: string }) {
  switch (content.type) {
    case 'diff':
      return <DiffPreview diff={content} chat={chat} id={id} />;
    case 'text':
      return content.text === '' ? null : <Output text={content.text} chat={chat} id={id} />;
    case 'image':
      return <img class="picture" src={imageSource(content)} alt={t('from the tool')} />;
    case 'resource':
      return content.text ? (
        <Output text={content.text} chat={chat} id={id} note={nameOf(content.uri)} />
      ) : (
        <p class="hint path">{content.uri}</p>
      );
  }
}
