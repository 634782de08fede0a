/** The program a command line begins with. */
export function programOf(line: string): string {
  const quoted = /^\s*"([^"]+)"/.exec(line);
  return quoted?.[1] ?? line.trim().split(/\s+/)[0] ?? '';
}
