export type Target =
  | { readonly kind: 'web'; readonly href: string }
  /** Line from 0. */
  | { readonly kind: 'file'; readonly path: string; readonly line?: number }
  /** Leads nowhere that is safe or known. */
  | { readonly kind: 'none' };

const NONE: Target = { kind: 'none' };

/** Where a link of an agent's may lead: to the web, to a person, or to a file of the workspace. Nothing else. */
export function targetOf(written: string, folders: readonly string[]): Target {
  const url = written.trim();
  if (/^https?:\/\//i.test(url)) return isUrl(url) ? { kind: 'web', href: url } : NONE;
  if (/^mailto:[^\s]+$/i.test(url)) return { kind: 'web', href: url };
  const file = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(url)?.[1];
  if (file === undefined && /^([a-z][a-z0-9+.-]*:(?!\d+(:\d+)?$)|\/\/|\\\\|#|\?)/i.test(url)) return NONE;
  return fileTarget(file ?? url, folders);
}

function fileTarget(written: string, folders: readonly string[]): Target {
  const parts = /^(.*?)(?:#L(\d+)(?:-L?\d+)?|:(\d+)(?:[:-]\d+)?)?$/.exec(decoded(written));
  const path = resolve(parts?.[1] ?? '', folders);
  if (path === undefined) return NONE;
  const line = Number(parts?.[2] ?? parts?.[3] ?? 0);
  return { kind: 'file', path, ...(line > 0 ? { line: line - 1 } : {}) };
}

/** An absolute path inside one of the folders. */
function resolve(path: string, folders: readonly string[]): string | undefined {
  const [base] = folders;
  if (path === '' || base === undefined || path.includes('\0')) return undefined;
  const absolute = normal(path.startsWith('/') || /^[a-z]:[\\/]/i.test(path) ? path : `${base}/${path}`);
  return folders.some((folder) => absolute.startsWith(`${folder}/`)) ? absolute : undefined;
}

function normal(path: string): string {
  const way: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') way.pop();
    else if (part !== '.' && part !== '') way.push(part);
  }
  return /^[a-z]:/i.test(path) ? way.join('/') : `/${way.join('/')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isUrl(text: string): boolean {
  return URL.canParse(text);
}
