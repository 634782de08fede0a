import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const CODE_MS = 10 * 60_000;
const MAX_SESSIONS = 20;

/** A page that was let in: a cookie the page cannot read, and a key that other ports of this machine cannot read. */
export interface Admission {
  readonly cookie: string;
  readonly key: string;
}

/**
 * Who may look at the workbench. A code from the printed address is good once; it is exchanged for a cookie and a key,
 * and both are needed. Cookies are shared between all ports of 127.0.0.1, so the cookie alone proves nothing. Only
 * digests are kept, so they may be handed to the process after this one.
 */
export class Sessions {
  readonly #codes = new Map<string, number>();
  #admitted: { readonly cookie: string; readonly key: string }[];

  constructor(inherited: readonly { cookie: string; key: string }[] = []) {
    this.#admitted = inherited.slice(-MAX_SESSIONS);
  }

  get digests(): readonly { cookie: string; key: string }[] {
    return this.#admitted;
  }

  /** A new code for the address. */
  invite(): string {
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(digest(code), Date.now() + CODE_MS);
    if (this.#codes.size > MAX_SESSIONS) this.#codes.delete(this.#codes.keys().next().value ?? '');
    return code;
  }

  exchange(code: string): Admission | undefined {
    const known = digest(code);
    const until = this.#codes.get(known);
    this.#codes.delete(known);
    if (until === undefined || until < Date.now()) return undefined;
    const admission = { cookie: randomBytes(32).toString('base64url'), key: randomBytes(32).toString('base64url') };
    this.#admitted = [...this.#admitted, { cookie: digest(admission.cookie), key: digest(admission.key) }].slice(
      -MAX_SESSIONS,
    );
    return admission;
  }

  knowsCookie(cookie: string | undefined): boolean {
    return this.#admitted.filter((each) => same(each.cookie, digest(cookie ?? ''))).length > 0;
  }

  knows(cookie: string | undefined, key: unknown): boolean {
    if (typeof key !== 'string') return false;
    const [c, k] = [digest(cookie ?? ''), digest(key)];
    return this.#admitted.filter((each) => same(each.cookie, c) && same(each.key, k)).length > 0;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
