/** Here the raw path is the address of a document; servers encode it, each in its way. */
export function toUri(path: string): string {
  return `file://${path}`;
}

/** Of an address that a server gave. */
export function toPath(uri: string): string {
  const raw = rawPath(uri);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Of an address that `toUri` made. */
export function rawPath(uri: string): string {
  return uri.replace(/^file:\/\//, '');
}
