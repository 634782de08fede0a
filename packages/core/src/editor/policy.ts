import { realpathSync, statSync } from 'node:fs';
import { Signal } from '../signal.ts';
import { compileGlobs } from './glob.ts';
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

/** How long what was found out about a file that nobody looks at is believed. */
const BELIEVED_MS = 1000;
const MAX_REMEMBERED = 5000;

interface Facts {
  readonly denied: boolean;
  readonly onDisk: boolean;
  readonly at: number;
}

export class Policy {
  readonly changed = new Signal<void>();
  readonly #facts = new Map<string, Facts>();
  readonly #views = new WeakMap<Document, SharedDocument>();
  #globs: RegExp | undefined;
  #sharing: Sharing;
  #deny: readonly string[];

  constructor(options: { sharing?: Sharing; deny?: readonly string[] } = {}) {
    this.#sharing = options.sharing ?? 'auto';
    this.#deny = [...DEFAULT_DENY, ...(options.deny ?? [])];
  }

  /** What is never shared, the user's own patterns last. */
  get deny(): readonly string[] {
    return this.#deny;
  }

  /** Another list of the user's own patterns; those that always hold stay. */
  denyAlso(patterns: readonly string[]): void {
    this.#deny = [...DEFAULT_DENY, ...patterns];
    this.#globs = undefined;
    this.#facts.clear();
    this.changed.emit();
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
    return this.#look(path).denied;
  }

  /** Whether a thing the user sends by hand may go. */
  allowsSending(path: string): boolean {
    return this.#sharing !== 'off' && !this.denies(path);
  }

  view(workspace: Workspace): SharedContext {
    if (this.#sharing !== 'auto') {
      return { documents: [], active: undefined, latestSelection: undefined, trusted: workspace.trusted };
    }
    const activePath = workspace.active?.path;
    const latestPath = workspace.latestSelectionPath;
    const documents: SharedDocument[] = [];
    for (const document of workspace.documents) {
      // Text leaves only of these two, so they are looked at anew each time; of the others nothing but the name.
      const close = document.path === activePath || document.path === latestPath;
      const facts = close ? this.#look(document.path) : this.#recall(document.path);
      if (!facts.denied) documents.push(this.#share(document, workspace, facts.onDisk, document.path === activePath));
    }
    return {
      documents,
      active: documents.find((document) => document.active),
      latestSelection: documents.find((document) => document.path === latestPath),
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

  /** The same object as before while nothing about it changed. */
  #share(document: Document, workspace: Workspace, onDisk: boolean, active: boolean): SharedDocument {
    const selections = workspace.selections(document.path);
    const known = this.#views.get(document);
    if (known && known.active === active && known.onDisk === onDisk && known.selections === selections) return known;
    const shared = { ...document, active, onDisk, selections };
    this.#views.set(document, shared);
    return shared;
  }

  #recall(path: string): Facts {
    const known = this.#facts.get(path);
    return known && Date.now() - known.at < BELIEVED_MS ? known : this.#look(path);
  }

  #look(path: string): Facts {
    this.#globs ??= compileGlobs(this.deny);
    const real = realPath(path);
    const denied = this.#globs.test(slashes(path)) || (real !== path && this.#globs.test(slashes(real)));
    const facts = { denied, onDisk: !denied && isFile(real), at: Date.now() };
    if (this.#facts.size >= MAX_REMEMBERED) this.#facts.clear();
    this.#facts.set(path, facts);
    return facts;
  }
}

function slashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // a loop of links, a name too long, no permission: not a file anybody can use
  }
}
