import { effect, type Signal, signal } from '@preact/signals';

/** A value that this browser keeps (or, with `sessionStorage`, this window). What is stored is checked, never trusted. */
export function remembered<T>(
  key: string,
  initial: T,
  isRight: (value: unknown) => boolean,
  store?: Storage,
): Signal<T> {
  const storage = store ?? localStorage;
  const value = signal(read(storage, key, initial, isRight));
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      storage.setItem(key, text);
    } catch {
      // full or forbidden: it is only convenience
    }
  });
  return value;
}

function read<T>(storage: Storage, key: string, initial: T, isRight: (value: unknown) => boolean): T {
  try {
    const stored = JSON.parse(storage.getItem(key) ?? 'null');
    return isRight(stored) ? (stored as T) : initial;
  } catch {
    return initial;
  }
}

/** Styles that the editor makes carry the page's nonce. */
export const STYLE_NONCE = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';

export const NARROW = 720;
export const isNarrow = () => window.innerWidth < NARROW;
