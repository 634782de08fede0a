import { homedir } from 'node:os';
import { relative, sep } from 'node:path';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Colours only where a person looks at a terminal that has them. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  const plain = !stream.isTTY || process.env.NO_COLOR || process.env.TERM === 'dumb';
  return plain ? text : `\x1b[${CODES[style][0]}m${text}\x1b[${CODES[style][1]}m`;
}

export function complain(message: string, hint?: string): void {
  console.error(`${paint('red', 'tandem:', process.stderr)} ${printable(message)}`);
  if (hint) console.error(paint('dim', `  ${printable(hint)}`, process.stderr));
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined));
}

/** File names and agents' words must not move the cursor, change colours or turn the writing direction. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Short where it can be: below the current folder, or below home. */
export function shortPath(path: string): string {
  const here = relative(process.cwd(), path);
  if (here !== '' && !here.startsWith('..')) return printable(here);
  const home = homedir();
  return printable(path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path);
}

/** Columns as wide as their widest cell; the last one is left alone. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)));
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n');
}

export function clock(time: Date): string {
  return time.toTimeString().slice(0, 8);
}
