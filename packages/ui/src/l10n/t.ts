// The texts that people read, in their language. The English text is the key, so English needs no dictionary.
import type { APP } from './zh-cn/app.ts';
import type { CHAT } from './zh-cn/chat.ts';
import type { REVIEW } from './zh-cn/review.ts';

export type Language = 'en' | 'zh-CN';
/** Translations of our own texts, and of those that come from the host. */
export interface Dictionary {
  readonly texts: Readonly<Record<string, string>>;
  readonly heard: Readonly<Record<string, string>>;
  /** CodeMirror's. */
  readonly phrases?: Readonly<Record<string, string>>;
}

/** The texts that dictionaries have: another one does not compile. */
export type Known = keyof typeof CHAT | keyof typeof REVIEW | keyof typeof APP;
/** One without places to fill. */
export type Text = { [S in Known]: Places<S> extends never ? S : never }[Known];
type Value = string | number;
type Places<S extends string> = S extends `${string}{${infer N}}${infer Rest}` ? N | Places<Rest> : never;
/** As many values as the text has places for. */
export type Fill<S extends string, V> =
  '2' extends Places<S> ? [V, V, V] : '1' extends Places<S> ? [V, V] : '0' extends Places<S> ? [V] : [];

/** A longer one is an agent's own. */
const MAX_HEARD = 2000;

let spoken: Dictionary | undefined;
let patterns: readonly (readonly [RegExp, string])[] = [];

/** The language of the page for a user who wants this one. Traditional Chinese is another one. */
export function languageFor(wanted: string): Language {
  return /^zh(-(cn|sg|my|hans(-\w+)?))?$/i.test(wanted) ? 'zh-CN' : 'en';
}

/** Before anything is drawn. Says what is spoken: without its dictionary, English. */
export async function speak(wanted: string, load: () => Promise<Dictionary>): Promise<Language> {
  use(languageFor(wanted) === 'en' ? undefined : await load().catch(() => undefined));
  return locale() ?? 'en';
}

export function use(dictionary: Dictionary | undefined): void {
  spoken = dictionary;
  const keys = Object.entries(dictionary?.heard ?? {}).filter(([key]) => key.includes('{'));
  patterns = keys.map(([key, text]) => [patternOf(key), text]);
}

/** For numbers and dates; English keeps what the user has set for them. */
export function locale(): Language | undefined {
  return spoken && 'zh-CN';
}

export function phrases(): Readonly<Record<string, string>> {
  return spoken?.phrases ?? {};
}

/** `t('Start {0}', name)`. */
export function t<S extends Known>(text: S, ...values: Fill<S, Value>): string {
  return filled(translated(text), values);
}

/** With its places still empty. */
export function translated(text: Known): string {
  return spoken?.texts[text] ?? text;
}

/** What the host says, in the user's language if it is one of the texts known from there. */
export function heard(text: string): string {
  if (!spoken || text.length > MAX_HEARD) return text;
  const known = spoken.heard[text];
  if (known !== undefined) return known;
  for (const [pattern, translation] of patterns) {
    const found = pattern.exec(text);
    if (found) return filled(translation, found.slice(1).map(heard));
  }
  // "Agent: what happened"
  const [, who, what] = /^(.+?): (.+)$/s.exec(text) ?? [];
  const told = what === undefined ? what : heard(what);
  return who === undefined || told === what ? text : `${heard(who)}：${told}`;
}

function filled(text: string, values: readonly Value[]): string {
  return values.length === 0 ? text : text.replace(/\{(\d)\}/g, (_, at) => String(values[at]));
}

/** Places in the order of their numbers. */
function patternOf(key: string): RegExp {
  const literal = key.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\d\}/g, '(.+)')}$`, 's');
}
