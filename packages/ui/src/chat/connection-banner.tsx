import type { ConnectionState } from '@tandem/chat/view';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { heard, t } from '../l10n/t.ts';
import type { OpenChat } from './open-chat.ts';

/** How the way to the agent is, in plain words, and what can be done about it. Says nothing when all is well. */
export function ConnectionBanner({ chat }: { chat: OpenChat }) {
  const { connection, session, running } = chat.conversation.value;
  const { name } = chat.agent;
  const reconnect = () => chat.perform({ do: 'reconnect' });
  const goOn = () => chat.perform({ do: 'continue' });
  switch (connection.status) {
    case 'connected':
      if (!session) return <Banner level="info">{t('Starting {0}…', name)}</Banner>;
      if (!session.interrupted || running !== undefined) return null;
      return (
        <Banner level="info" actions={<Action label={t('Continue')} run={goOn} main />}>
          {t('The last turn was cut off before it was done.')}
        </Banner>
      );
    case 'starting':
      return <Banner level="info">{t('Starting {0}…', name)}</Banner>;
    case 'stopped':
      return (
        <Banner level="info" actions={<Action label={t('Take up again')} run={reconnect} main />}>
          {t('This conversation was open before. {0} is not running.', name)}
        </Banner>
      );
    case 'reconnecting':
      return (
        <Banner level="warning" actions={<Action label={t('Try now')} run={reconnect} />}>
          {t('Lost {0}: {1}', name, sentence(connection.reason))} <Countdown state={connection} />
        </Banner>
      );
    case 'died': {
      const both = async () => {
        await reconnect();
        await goOn();
      };
      return (
        <Banner
          level="error"
          actions={
            <>
              {connection.canContinue && <Action label={t('Continue')} run={both} main />}
              {connection.canReconnect && (
                <Action label={t('Reconnect')} run={reconnect} main={!connection.canContinue} />
              )}
            </>
          }
        >
          {session
            ? t('{0} is gone: {1}', name, sentence(connection.reason))
            : t('{0} could not begin: {1}', name, sentence(connection.reason))}
          {connection.canContinue && t(' A turn was cut off.')}
        </Banner>
      );
    }
    case 'workspace-mismatch':
      return (
        <Banner level="error" actions={<Action label={t('Try again')} run={reconnect} />}>
          {t('It works in another folder than this window.')}
          <dl class="paths">
            <dt>{t('here')}</dt>
            <dd>
              <code>{connection.ours}</code>
            </dd>
            <dt>{t('there')}</dt>
            {connection.theirs.map((path) => (
              <dd key={path}>
                <code>{path}</code>
              </dd>
            ))}
          </dl>
        </Banner>
      );
    case 'unauthorised':
      return (
        <Banner level="error" actions={<Action label={t('Try again')} run={reconnect} />}>
          {t('{0} does not let us in: {1}', name, sentence(connection.reason))}
        </Banner>
      );
  }
}

interface BannerProps {
  readonly level: 'info' | 'warning' | 'error';
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Banner({ level, actions, children }: BannerProps) {
  return (
    <div class={`chat-banner ${level}`} role="status" aria-label={t('Agent')}>
      <div class="chat-banner-words">{children}</div>
      {actions && <div class="chat-banner-actions">{actions}</div>}
    </div>
  );
}

function Action({ label, run, main = false }: { label: string; run: () => Promise<unknown>; main?: boolean }) {
  const [busy, setBusy] = useState(false);
  const onClick = () => {
    setBusy(true);
    void run().finally(() => setBusy(false));
  };
  return (
    <button type="button" class={main ? 'primary' : ''} disabled={busy} onClick={onClick}>
      {label}
    </button>
  );
}

/** Counts by itself; the screen reader hears only the sentence, not every second. */
function Countdown({ state }: { state: ConnectionState & { status: 'reconnecting' } }) {
  const [left, setLeft] = useState(state.inMs);
  useEffect(() => {
    const until = performance.now() + state.inMs;
    const tick = () => setLeft(Math.max(0, until - performance.now()));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [state]);
  const seconds = Math.ceil(left / 1000);
  return <span aria-hidden="true">{seconds > 0 ? t('Reconnecting in {0} s…', seconds) : t('Reconnecting…')}</span>;
}

function sentence(reason: string): string {
  const told = heard(reason);
  return /[.!?…。！？]$/.test(told) ? told : t('{0}.', told);
}
