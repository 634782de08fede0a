// What differs from one recording to the next is replaced: strings by placeholders, numbers by small numbers.
import type { Sandbox } from './sandbox.ts';

/** Keys whose numbers are points in time or processes. Their order is kept: 1 for the first value seen, 2 for the next. */
const volatileNumbers = new Set(['timestamp', 'pid', 'port']);

export function redactor(sandbox: Sandbox): (value: unknown) => unknown {
  const ordinals = new Map<string, number>();
  const ordinal = (kind: string, value: unknown) => {
    const key = `${kind} ${value}`;
    if (!ordinals.has(key)) ordinals.set(key, [...ordinals.keys()].filter((k) => k.startsWith(`${kind} `)).length + 1);
    return ordinals.get(key) ?? 0;
  };

  const text = (value: string) =>
    value
      .replaceAll(sandbox.workspace, '<workspace>')
      .replaceAll(sandbox.home, '<home>')
      .replaceAll(sandbox.tmp, '<tmp>')
      .replaceAll(
        /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
        (id) => `<uuid ${ordinal('uuid', id)}>`,
      )
      .replaceAll(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      // Claude Code ends the name of a diff's tab with six random digits.
      .replaceAll(/\(([0-9a-f]{6})\) ⧉/g, (_, id) => `(<tab ${ordinal('tab', id)}>) ⧉`);

  const walk = (value: unknown, key = ''): unknown => {
    if (typeof value === 'number') return volatileNumbers.has(key) ? ordinal(key, value) : value;
    if (typeof value === 'string') return key === 'link' ? `<link ${ordinal('link', value)}>` : text(value);
    if (Array.isArray(value)) return value.map((each) => walk(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)]));
  };
  return (value) => walk(value);
}
