import { readFileSync } from 'node:fs';
import type { Before, CompanionRecord } from '@tandem/core';
import { parse, parsePort, usage } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { hunksOf, printDiff } from '../diff.ts';
import { CommandError } from '../errors.ts';
import { editText } from '../external-editor.ts';
import { clock, paint, printJson, shortPath, table } from '../print.ts';

interface ReviewJson {
  readonly id: string;
  readonly agent: string;
  readonly path: string;
  readonly state: string;
  readonly openedAt: string;
  readonly outsideWorkspace: boolean;
  readonly decidedBy?: string;
  readonly withdrawn?: string;
}

type ReviewText = ReviewJson & { readonly original: Before; readonly proposed: string; readonly text: string };

const OPTIONS = { 'content-file': { type: 'string' }, edit: { type: 'boolean', default: false } } as const;

export async function review(args: string[]): Promise<number> {
  const { values, positionals } = parse('review', args, OPTIONS, 2);
  const [verb = 'list', id] = positionals;
  const ofAccept = values['content-file'] !== undefined || values.edit;
  if (ofAccept && verb !== 'accept') throw usage('review', '--content-file and --edit go with accept');
  if (values.edit && values['content-file'] !== undefined) throw usage('review', 'choose --content-file or --edit');
  const companion = await findCompanion(parsePort('review', values.port));
  const out = (value: ReviewJson | readonly ReviewJson[], print: () => void) =>
    values.json ? printJson(value) : print();
  switch (verb) {
    case 'list': {
      const reviews = await ask<readonly ReviewJson[]>(companion, 'review/list');
      out(reviews, () => printList(reviews));
      return 0;
    }
    case 'show': {
      const shown = await ask<ReviewText>(companion, 'review/show', { id });
      const hunks = hunksOf(shown.original.text, shown.text);
      if (values.json) printJson({ ...shown, hunks });
      else printReview(shown, hunks);
      return 0;
    }
    case 'accept': {
      const text = values.edit ? await edited(companion, id) : contentOf(values['content-file']);
      const accepted = await ask<ReviewJson>(companion, 'review/accept', {
        id,
        ...(text === undefined ? {} : { text }),
      });
      out(accepted, () => console.log(`accepted: ${accepted.agent} writes ${shortPath(accepted.path)}`));
      return 0;
    }
    case 'reject': {
      const rejected = await ask<ReviewJson>(companion, 'review/reject', { id });
      out(rejected, () => console.log(`rejected: ${shortPath(rejected.path)} stays as it is`));
      return 0;
    }
    case 'edit': {
      const text = await edited(companion, id);
      const amended = await ask<ReviewJson>(companion, 'review/amend', { id, text });
      out(amended, () => console.log(`changed; it still waits: tandem review accept ${amended.id}`));
      return 0;
    }
    case 'restore': {
      if (id === undefined) throw usage('review', 'which review? restore needs an id');
      const restored = await ask<ReviewJson>(companion, 'review/restore', { id });
      out(restored, () => console.log(`your text is written to ${shortPath(restored.path)}`));
      return 0;
    }
    default:
      throw usage('review', `there is no "review ${verb}"`);
  }
}

function printList(reviews: readonly ReviewJson[]): void {
  if (reviews.length === 0) console.log('No review is waiting.');
  else {
    const rows = reviews.map((each) => [each.id, each.agent, clock(new Date(each.openedAt)), shortPath(each.path)]);
    console.log(table(rows));
  }
}

function printReview(shown: ReviewText, hunks: ReturnType<typeof hunksOf>): void {
  const state = shown.withdrawn ? `closed, ${shown.withdrawn}` : shown.state;
  console.log(
    `${paint('bold', shortPath(shown.path))}  ${paint('dim', `review ${shown.id}, ${shown.agent}, ${state}`)}`,
  );
  const notes = [
    shown.original.exists ? '' : 'a new file',
    shown.original.unsaved ? 'compared with your unsaved text' : '',
    shown.original.note ? `the present content is not shown: ${shown.original.note}` : '',
    shown.outsideWorkspace ? 'outside the workspace' : '',
    shown.text === shown.proposed ? '' : 'with your changes',
  ].filter((note) => note !== '');
  if (notes.length > 0) console.log(paint('yellow', notes.join('; ')));
  if (hunks.length === 0) console.log(paint('dim', 'no difference'));
  printDiff(hunks);
}

/** A file that was named but cannot be read must not accept the proposal instead. */
function contentOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(1, `--content-file: ${(error as Error).message}`);
  }
}

async function edited(companion: CompanionRecord, id: string | undefined): Promise<string> {
  const shown = await ask<ReviewText>(companion, 'review/show', { id });
  if (shown.state !== 'open') throw new CommandError(1, `review ${shown.id} is already ${shown.state}`);
  return editText(shown.path, shown.text);
}
