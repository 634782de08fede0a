import { structuredPatch } from 'diff';
import { paint, printable } from './print.ts';

export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** Gives up on being minimal rather than on being quick. */
const TIMEOUT_MS = 2_000;

export function hunksOf(before: string, after: string): readonly Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: TIMEOUT_MS });
  if (patch) return patch.hunks;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }];
}

export function printDiff(hunks: readonly Hunk[]): void {
  for (const hunk of hunks) {
    const head = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
    console.log(paint('cyan', head));
    for (const line of hunk.lines) console.log(colour(printable(line)));
  }
}

function colour(line: string): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('\\') ? paint('dim', line) : line;
}
