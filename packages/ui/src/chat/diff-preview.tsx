import type { DiffContent } from '@tandem/chat/view';
import { useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { wayTo } from '../paths.ts';
import { diffLines, type LineChange, linesOf } from '../review/diff.ts';
import type { OpenChat } from './open-chat.ts';
import { ScrollBox } from './scroll-box.tsx';

const SHOWN = 60;
const CONTEXT = 2;
/** A card is no place to compare for long; the desk does it in full. */
const BUDGET = 20_000;

interface Compared {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly changes: readonly LineChange[];
}

const compared = new WeakMap<DiffContent, Compared>();

function compare(diff: DiffContent): Compared {
  let known = compared.get(diff);
  if (!known) {
    const before = diff.oldText === '' ? [] : linesOf(diff.oldText);
    const after = diff.newText === '' ? [] : linesOf(diff.newText);
    known = { before, after, changes: diffLines(before, after, BUDGET).changes };
    compared.set(diff, known);
  }
  return known;
}

export function diffSize(diff: DiffContent): { added: number; removed: number } {
  const { changes } = compare(diff);
  return {
    added: changes.reduce((sum, { fromB, toB }) => sum + toB - fromB, 0),
    removed: changes.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0),
  };
}

interface Line {
  readonly kind: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
  /** In the new text, from 0. */
  readonly at: number;
}

/** The changed lines with a few around them. */
export function linesOfDiff(diff: DiffContent): readonly Line[] {
  const { before, after, changes } = compare(diff);
  const lines: Line[] = [];
  let at = 0; // in `after`
  changes.forEach(({ fromA, toA, fromB, toB }, i) => {
    const from = Math.max(at, fromB - CONTEXT);
    if (from > at) lines.push({ kind: 'gap', text: '', at: from });
    for (let n = from; n < fromB; n += 1) lines.push({ kind: 'same', text: after[n] ?? '', at: n });
    for (let n = fromA; n < toA; n += 1) lines.push({ kind: 'removed', text: before[n] ?? '', at: fromB });
    for (let n = fromB; n < toB; n += 1) lines.push({ kind: 'added', text: after[n] ?? '', at: n });
    const end = Math.min(toB + CONTEXT, changes[i + 1]?.fromB ?? after.length, after.length);
    for (let n = toB; n < end; n += 1) lines.push({ kind: 'same', text: after[n] ?? '', at: n });
    at = end;
  });
  return lines;
}

const SIGNS = { added: '+', removed: '−', same: ' ', gap: '⋯' } as const;

/** A look at a change; it is decided on the desk. */
export function DiffPreview({ diff, chat, id }: { diff: DiffContent; chat: OpenChat; id: string }) {
  const [, redraw] = useState(0);
  const lines = linesOfDiff(diff);
  const whole = chat.folds.get(`${id}/all`) ?? false;
  const shown = whole ? lines : lines.slice(0, SHOWN);
  const first = lines.find(({ kind }) => kind !== 'gap')?.at;
  return (
    <div class="diff">
      <div class="code-head">
        <button type="button" class="link file-link" onClick={() => chat.around.openFile(diff.path, first)}>
          {wayTo(chat.around.folders.value, diff.path)}
        </button>
        {diff.oldText === '' && <span class="hint">{t('new file')}</span>}
      </div>
      <ScrollBox class="diff-text" label={t('Change to {0}', diff.path)}>
        <pre>
          {shown.map((line, i) => (
            <div key={i} class={`diff-line ${line.kind}`}>
              <span class="sign">{SIGNS[line.kind]}</span>
              {line.text}
            </div>
          ))}
        </pre>
      </ScrollBox>
      {lines.length > shown.length && (
        <button
          type="button"
          class="link"
          onClick={() => {
            chat.folds.set(`${id}/all`, true);
            redraw((count) => count + 1);
          }}
        >
          {t('{0} more lines', lines.length - shown.length)}
        </button>
      )}
    </div>
  );
}
