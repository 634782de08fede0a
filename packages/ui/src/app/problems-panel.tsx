import { heard, t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { Problem } from '../protocol.ts';
import { offsetAt } from './problem-marks.ts';
import type { Store } from './store.ts';

const SIGN: Readonly<Record<Problem['severity'], string>> = { error: '✕', warning: '!', info: 'i', hint: '·' };
/** More than a person reads; the files say how many there are. */
const MAX_SHOWN = 200;

export function ProblemsPanel({ store }: { store: Store }) {
  const files = [...store.problems.files.value].sort(([a], [b]) => a.localeCompare(b));
  return (
    <>
      <Found store={store} />
      <div class="panel-head">
        <h2>{t('Problems')}</h2>
      </div>
      {files.length === 0 && <p class="empty">{t('No problems.')}</p>}
      {files.map(([path, problems]) => (
        <section key={path} class="problems" aria-label={nameOf(path)}>
          <h3 title={path}>
            {nameOf(path)} <span class="hint">{problems.length}</span>
          </h3>
          <ul>
            {problems.slice(0, MAX_SHOWN).map((problem, index) => (
              <li key={index}>
                <button type="button" class="problem" onClick={() => void goTo(store, path, problem.range)}>
                  <span class={`sign is-${problem.severity}`} role="img" aria-label={t(problem.severity)}>
                    {SIGN[problem.severity]}
                  </span>
                  <span class="message">{problem.message}</span>
                  <span class="hint">
                    {[problem.source, problem.code, t('line {0}', problem.range.start.line + 1)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Servers store={store} />
    </>
  );
}

function Found({ store }: { store: Store }) {
  const references = store.problems.references.value;
  if (!references) return null;
  return (
    <section class="problems" aria-label={t('References')}>
      <div class="panel-head">
        <h2>
          {references.word} <span class="hint">{t('{0} places', references.places.length)}</span>
        </h2>
        <button type="button" class="link" onClick={() => (store.problems.references.value = undefined)}>
          {t('Clear')}
        </button>
      </div>
      <ul>
        {references.places.slice(0, MAX_SHOWN).map(({ path, range }) => (
          <li key={`${path} ${range.start.line} ${range.start.character}`}>
            <button type="button" class="problem" title={path} onClick={() => void goTo(store, path, range)}>
              <span class="message place">
                {nameOf(path)} <span class="hint">{t('line {0}', range.start.line + 1)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Servers({ store }: { store: Store }) {
  const servers = store.problems.servers.value;
  if (servers.length === 0) return null;
  return (
    <>
      <h3>{t('Language servers')}</h3>
      <ul class="plain">
        {servers.map((server) => (
          <li key={`${server.name} ${server.folder}`}>
            {server.name} <span class="hint">{server.hint === undefined ? t(server.state) : heard(server.hint)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** For the status bar: how many, and quietly why there may be none. */
export function ProblemCount({ store }: { store: Store }) {
  const { errors, warnings } = store.problems;
  const path = store.active.value;
  const tab = store.shell.value.tabs.find((each) => each.path === path);
  const server = tab && store.problems.serverFor(tab.path, tab.language);
  const absent = server?.state === 'missing' || server?.state === 'stopped';
  return (
    <button
      type="button"
      class="link problem-count"
      title={
        absent
          ? t('{0}: {1}', server.name, server.hint === undefined ? t(server.state) : heard(server.hint))
          : t('{0} (Alt+{1})', t('Problems'), 5)
      }
      onClick={() => store.openPanel('problems')}
    >
      {errors.value === 1 ? t('1 error') : t('{0} errors', errors.value)}
      {t(', ')}
      {warnings.value === 1 ? t('1 warning') : t('{0} warnings', warnings.value)}
      {absent && <span class="hint"> · {t('no {0}', server.name)}</span>}
    </button>
  );
}

async function goTo(store: Store, path: string, range: Problem['range']): Promise<void> {
  await store.openFile(path);
  const view = store.documents.view(path);
  if (!view) return;
  store.documents.select(path, {
    anchor: offsetAt(view.state.doc, range.start),
    head: offsetAt(view.state.doc, range.end),
  });
}
