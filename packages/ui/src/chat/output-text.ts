/** The last lines of a text, without looking at the rest of it. */
export function tailOf(text: string, lines: number, characters: number): string {
  let at = text.length;
  if (text.endsWith('\n')) at -= 1;
  for (let count = 0; count < lines && at > 0; count += 1) at = text.lastIndexOf('\n', at - 1);
  const from = Math.max(at + (at >= 0 && text[at] === '\n' ? 1 : 0), text.length - characters, 0);
  return text.slice(from);
}

/** By their codes: as letters of a pattern they could not be seen. */
const [ESC, BEL] = [27, 7].map((code) => String.fromCharCode(code));
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[PX^_][^${ESC}]*${ESC}\\\\|[ -/]*[0-~])`,
  'g',
);

/** Without colours and other orders to a terminal; of a line that was overwritten, what stood there last. */
export function plain(text: string): string {
  return text
    .replace(SEQUENCES, '')
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r/g, '')
    .replace(/\p{Cc}/gu, (control) => (control === '\n' || control === '\t' ? control : ''));
}
