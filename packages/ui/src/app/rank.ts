/** Paths that have the letters of `query` in their order, the best first; without a query the open ones first. */
export function rank(
  paths: readonly string[],
  query: string,
  open: readonly string[],
  shown: (path: string) => string,
): readonly string[] {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  if (wanted === '') return [...open.toReversed(), ...paths.filter((path) => !open.includes(path))];
  const scored: { path: string; score: number }[] = [];
  for (const path of paths) {
    const score = scoreOf(shown(path), wanted);
    if (score !== undefined) scored.push({ path, score });
  }
  return scored.sort((a, b) => b.score - a.score || a.path.length - b.path.length).map(({ path }) => path);
}

function scoreOf(path: string, wanted: string): number | undefined {
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  if (name === wanted) return 1000;
  if (name.startsWith(wanted)) return 800;
  if (name.includes(wanted)) return 600;
  if (whole.includes(wanted)) return 400;
  return scattered(name, wanted) ?? scattered(whole, wanted);
}

/** Fewer gaps are better. */
function scattered(text: string, wanted: string): number | undefined {
  let [at, gaps] = [-1, 0];
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    if (next !== at + 1) gaps += 1;
    at = next;
  }
  return 200 - Math.min(gaps, 100);
}
