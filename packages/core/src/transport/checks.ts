import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Security checks as pure functions: what they say is what is answered. */
export type Check = { readonly ok: true } | { readonly ok: false; readonly status: number; readonly why: string };

const OK: Check = { ok: true };

/** A browser always names where a script came from; no agent does. */
export function checkOrigin(headers: IncomingHttpHeaders): Check {
  if (headers.origin === undefined) return OK;
  return { ok: false, status: 403, why: 'requests from web pages are not served' };
}

/** A foreign name in `Host` means that somebody's DNS points at this machine. */
export function checkHost(headers: IncomingHttpHeaders, port: number, extraNames: readonly string[] = []): Check {
  const names = ['127.0.0.1', 'localhost', '[::1]', ...extraNames];
  const host = headers.host?.toLowerCase();
  if (names.some((name) => host === `${name.toLowerCase()}:${port}`)) return OK;
  return { ok: false, status: 403, why: 'this host name is not served' };
}

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('hex');
}

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** Constant in time whatever was given; the digests make the lengths equal. */
export function sameToken(given: string | undefined, expected: string): boolean {
  const equal = timingSafeEqual(digest(given ?? ''), digest(expected));
  return equal && given !== undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
