import { realpathSync, statSync } from 'node:fs';
import picomatch from 'picomatch';
import { Signal } from '../signal.ts';
import type { Diagnostic, Document, Selection } from './model.ts';
import type { Workspace } from './workspace.ts';

/** `auto`: what the user looks at. `explicit`: only what the user sends. `off`: nothing. */
export type Sharing = 'auto' | 'explicit' | 'off';
export const SHARING: readonly Sharing[] = ['auto', 'explicit', 'off'];

/** Never shared, whatever the user adds. */
export const DEFAULT_DENY: readonly string[] = [
  '.env*',
  '.git/',
  '.ssh/',
  '.gnupg/',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  'id_{rsa,dsa,ecdsa,ed25519}',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.aws/credentials',
];

export interface SharedDocument extends Document {
  readonly active: boolean;
  readonly onDisk: boolean;
  readonly selections: readonly Selection[];
}

/** What may leave at this moment; made once per change and read by every link. */
export interface SharedContext {
  /** Newest focus first. */
  readonly documents: readonly SharedDocument[];
  readonly active: SharedDocument | undefined;
  readonly latestSelection: SharedDocument | undefined;
  readonly trusted: boolean | undefined;
}

const MAX_REMEMBERED = 5000;

export class Policy {
  readonly changed = new Signal<void>();
  readonly deny: readonly string[];
  readonly #matches: (path: string) => boolean;
  readonly #verdicts = new Map<string, boolean>();
  #sharing: Sharing;

  constructor(options: { sharing?: Sharing; deny?: readonly string[] } = {}) {
    this.#sharing = options.sharing ?? 'auto';
    this.deny = [...DEFAULT_DENY, ...(options.deny ?? [])];
    // Case is ignored because two of three file systems ignore it.
    this.#matches = picomatch(this.deny.flatMap(expand), { dot: true, nocase: true });
  }

  get sharing(): Sharing {
    return this.#sharing;
  }

  set sharing(sharing: Sharing) {
    this.#sharing = sharing;
    this.changed.emit();
  }

  /** Judged by its own name and by what it points to: a link named notes.txt must not smuggle out a key. */
  denies(path: string): boolean {
    const known = this.#verdicts.get(path);
    if (known !== undefined) return known;
    const verdict = this.#matches(slashes(path)) || this.#matches(slashes(realPath(path)));
    if (this.#verdicts.size >= MAX_REMEMBERED) this.#verdicts.clear();
    this.#verdicts.set(path, verdict);
    return verdict;
  }

  /** Whether a thing the user sends by hand may go. */
  allowsSending(path: string): boolean {
    return this.#sharing !== 'off' && !this.denies(path);
  }

  view(workspace: Workspace): SharedContext {
    if (this.#sharing !== 'auto') {
      return { documents: [], active: undefined, latestSelection: undefined, trusted: workspace.trusted };
    }
    this.#verdicts.clear(); // a link may have been pointed elsewhere since
    const activePath = workspace.active?.path;
    const documents = workspace.documents
      .filter((document) => !this.denies(document.path))
      .map((document) => ({
        ...document,
        active: document.path === activePath,
        onDisk: isFile(document.path),
        selections: workspace.selections(document.path),
      }));
    return {
      documents,
      active: documents.find((document) => document.active),
      latestSelection: documents.find((document) => document.path === workspace.latestSelectionPath),
      trusted: workspace.trusted,
    };
  }

  /** Of one path, or of all that have any. */
  diagnostics(workspace: Workspace, path?: string): ReadonlyMap<string, readonly Diagnostic[]> {
    const shared = new Map<string, readonly Diagnostic[]>();
    if (this.#sharing === 'off') return shared;
    const paths = path === undefined ? workspace.diagnosedPaths : [path];
    for (const each of paths) if (!this.denies(each)) shared.set(each, workspace.diagnostics(each));
    return shared;
  }
}

/** As in a .gitignore: without a slash it is a name anywhere; with one at the end, a folder with all below it. */
function expand(pattern: string): string[] {
  const folder = pattern.endsWith('/');
  const bare = folder ? pattern.slice(0, -1) : pattern;
  const anchored = bare.startsWith('/') || bare.startsWith('**/') ? bare : `**/${bare}`;
  return folder ? [`${anchored}/**`] : [anchored, `${anchored}/**`];
}

function slashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
