import { homedir, tmpdir } from 'node:os';
import { DIALECTS } from './dialects/index.ts';
import type { Dialect, Places, Publication } from './dialects/port.ts';
import { type Folders, isOutside, resolveFolders } from './discovery/folders.ts';
import { type CompanionRecord, Registry } from './discovery/registry.ts';
import { readBefore } from './editor/before.ts';
import { Desk } from './editor/desk.ts';
import { Ledger } from './editor/ledger.ts';
import { Policy, type SharedContext } from './editor/policy.ts';
import type { Editor } from './editor/port.ts';
import type { Review } from './editor/review.ts';
import { Workspace } from './editor/workspace.ts';
import type { House, WireEntry } from './house.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { Links } from './links.ts';
import { type Log, redacting } from './log.ts';
import { Room } from './room.ts';
import { newToken } from './transport/checks.ts';
import { type Entrance, Front } from './transport/front.ts';
import { VERSION } from './version.ts';

export interface CompanionOptions {
  readonly editor: Editor;
  readonly dialects?: readonly Dialect[];
  /** 0, the default, lets the system choose. */
  readonly port?: number;
  readonly policy?: Policy;
  readonly limits?: Partial<Limits>;
  readonly places?: Partial<Places>;
  /** Whether agents that are connected at the stop are left to the companion after this one; yes, unless it says no. */
  readonly handsOver?: boolean;
  /** Names besides loopback that may stand in `Host`. */
  readonly hostNames?: readonly string[];
  readonly log?: Log;
  readonly wire?: (entry: WireEntry) => void;
}

export interface PublishedDialect {
  readonly dialect: Dialect;
  readonly files: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Why it is not published. */
  readonly error?: string;
}

/** A knock that was due may take a moment to arrive. */
const LATE_MS = 2_000;

/** The composed whole for one editor window: an editor on one side, dialects on the other. */
export class Companion {
  readonly workspace = new Workspace();
  readonly ledger = new Ledger();
  readonly policy: Policy;
  readonly links: Links;
  readonly desk: Desk;
  readonly editor: Editor;
  /** Makes an address for another browser, where the face has a page. */
  invite: (() => string) | undefined;
  readonly #options: CompanionOptions;
  readonly #limits: Limits;
  readonly #places: Places;
  readonly #registry: Registry;
  readonly #controlToken = newToken();
  readonly #log: Log;
  readonly #house: House;
  #front: Front | undefined;
  #rooms: readonly Room[] = [];
  #folders: Folders = { real: [], aliases: [] };
  #predecessor: CompanionRecord | undefined;
  #view: { readonly revision: number; readonly context: SharedContext } | undefined;
  #startedAt = 0;
  #kept: unknown;
  #stopping: Promise<void> | undefined;

  constructor(options: CompanionOptions) {
    this.#options = options;
    this.editor = options.editor;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#places = { home: homedir(), tmp: tmpdir(), env: process.env, ...options.places };
    this.#registry = new Registry(this.#places);
    this.#log = redacting(options.log ?? (() => {}), () => [
      this.#controlToken,
      ...this.#rooms.map((room) => room.token),
    ]);
    this.policy = options.policy ?? new Policy();
    this.links = new Links(this.#limits.links);
    this.desk = new Desk(this.#limits, {
      before: (path, proposed) => readBefore(this.editor, path, proposed),
      isOutside: (path) => isOutside(this.#folders.real, path),
    });
    this.#house = {
      version: VERSION,
      editor: this.editor,
      workspace: this.workspace,
      desk: this.desk,
      policy: this.policy,
      ledger: this.ledger,
      links: this.links,
      limits: this.#limits,
      log: this.#log,
      folders: () => this.folders,
      context: () => this.context,
      isLate: () => this.#isLate(),
      remembered: (session) => this.#predecessor?.sessions?.find((each) => each.session === session),
      ...(options.wire ? { wire: options.wire } : {}),
    };
  }

  get port(): number {
    return this.#front?.port ?? 0;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  /** Real paths. */
  get folders(): readonly string[] {
    return this.#folders.real;
  }

  /** What the companion before this one was asked to keep, if this one takes its place. */
  get inherited(): unknown {
    return this.#predecessor?.kept;
  }

  /** Kept for the companion that takes this one's place, after a restart or a crash; `undefined` forgets it. */
  keep(value: unknown): void {
    this.#kept = value;
    if (this.#front && !this.#stopping) this.#writeRecord();
  }

  /** What may leave right now; made anew only after a change. */
  get context(): SharedContext {
    const { revision } = this.workspace;
    if (this.#view?.revision !== revision) this.#view = { revision, context: this.policy.view(this.workspace) };
    return this.#view.context;
  }

  get published(): readonly PublishedDialect[] {
    return this.#rooms.map((room) => ({
      dialect: room.dialect,
      files: room.files,
      environment: room.error === undefined ? room.dialect.environment(this.#publication(room)) : {},
      ...(room.error === undefined ? {} : { error: room.error }),
    }));
  }

  /** The server first, then the files (ALL-5). Rejects if no port can be had. */
  async start(): Promise<void> {
    this.#startedAt = Date.now();
    this.#connectParts();
    await this.editor.start({
      apply: (event) => this.workspace.apply(event),
      amend: (id, text) => this.desk.amend(id, text),
      decide: (id, decision) => this.desk.decide(id, decision, 'editor'),
    });
    this.#folders = resolveFolders(this.workspace.folders);
    this.#predecessor = await this.#registry.takeOver(this.editor.info, this.#folders.real);
    await this.#listen();
    this.workspace.foldersChanged.on((folders) => this.#republish(folders));
    this.workspace.windowFocused.on(() => {
      for (const room of this.#rooms) room.touch();
    });
    const mark = { version: VERSION, pid: process.pid, port: this.port };
    await Promise.all(this.#rooms.map((room) => room.open(this.#publication(room), mark)));
    this.#writeRecord();
    await Promise.all(this.#rooms.map((room) => room.sweep()));
  }

  /** Reviews are answered, streams ended, files removed; safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    for (const room of this.#rooms) room.withdraw();
    this.#leaveRecord();
    this.#front?.shut();
    this.desk.close();
    // One turn of the loop, so that the answers are written before the streams end.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.#rooms.map((room) => room.close()));
    await Promise.all(this.links.all.map((link) => link.close())); // those that came through no room
    await this.#front?.close();
    await this.editor.stop();
    this.workspace.dispose();
  }

  #connectParts(): void {
    this.workspace.changed.on(() => this.#share());
    this.policy.changed.on(() => this.#share());
    this.links.left.on((link) => this.desk.withdrawAll('agent gone', link.id));
    this.desk.opened.on((review) => this.editor.showReview(review));
    this.desk.amended.on((review) => this.editor.updateReview(review));
    this.desk.decided.on((review) => this.editor.closeReview(review));
    this.desk.editsLeft.on((review) => this.#keepEdits(review));
  }

  /** Nothing the user typed is lost because an agent closed a review without it. */
  #keepEdits(review: Review): void {
    const agent = this.#rooms.find((room) => room.dialect.id === review.agent)?.dialect.agent ?? review.agent;
    const message = `${agent} did not take your edits to ${review.path} (${review.withdrawn}). They are kept: tandem review restore ${review.id}`;
    this.editor.tell({ level: 'warning', message, review });
  }

  #share(): void {
    this.#view = undefined; // files may have come or gone, and the policy may be another
    if (this.links.size === 0) return;
    const context = this.context;
    for (const link of this.links.all) link.context(context);
  }

  /** A predecessor's port and tokens, so that its agents find us; else new ones. */
  async #listen(): Promise<void> {
    const predecessor = this.#predecessor;
    const port = this.#options.port ?? 0;
    if (predecessor && (port === 0 || port === predecessor.port)) {
      try {
        await this.#listenOn(predecessor.port, predecessor.tokens);
        return;
      } catch {
        this.#predecessor = undefined; // somebody else has the port now
      }
    }
    await this.#listenOn(port, {});
  }

  async #listenOn(port: number, tokens: Readonly<Record<string, string>>): Promise<void> {
    const { dialects = DIALECTS, hostNames } = this.#options;
    const rooms = dialects.map((dialect) => new Room(dialect, tokens[dialect.id] ?? newToken(), this.#house));
    const front = new Front({ limits: this.#limits, log: this.#log, ...(hostNames ? { hostNames } : {}) });
    await front.listen(port, [...rooms.flatMap((room) => room.entrances), this.#controlEntrance()]);
    this.#front = front;
    this.#rooms = rooms;
  }

  #controlEntrance(): Entrance {
    return {
      name: 'control',
      kind: 'http',
      path: '/control/',
      token: (headers) => /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1],
      secret: this.#controlToken,
      request: async (request, response) => {
        const { answerControl } = await import('./control/server.ts');
        await answerControl(this, this.#limits, request, response);
      },
    };
  }

  #publication(room: Room): Publication {
    return {
      port: this.port,
      token: room.token,
      editor: this.editor.info,
      pid: process.pid,
      folders: this.#folders.real,
      aliases: this.#folders.aliases,
      places: this.#places,
    };
  }

  #republish(folders: readonly string[]): void {
    this.#folders = resolveFolders(folders);
    for (const room of this.#rooms) room.republish(this.#publication(room));
    this.#writeRecord();
  }

  /** After a crash every agent has given up at once; after a stop it waits as long as it was told to. */
  #isLate(): boolean {
    if (!this.#predecessor) return false;
    return Date.now() - (this.#predecessor.stoppedAt ?? 0) > this.#limits.restartMs + LATE_MS;
  }

  #writeRecord(): void {
    try {
      this.#registry.write(this.#record());
    } catch (error) {
      this.#log('warn', `the tandem command will not find this companion: ${(error as Error).message}`);
    }
  }

  /** Only agents (and windows) that are still there are handed over; without any, nothing is left behind. */
  #leaveRecord(): void {
    const record = this.#record();
    this.#registry.remove(record);
    const all = this.#options.handsOver === false ? [] : this.links.all;
    const waiting = all.filter((link) => !link.returnsByItself && !link.isDead);
    const sessions = waiting.map(({ session, agent, since }) => ({ session, agent, since }));
    if (sessions.length === 0 && this.#kept === undefined) return;
    try {
      this.#registry.write({ ...record, controlToken: '', stoppedAt: Date.now(), sessions });
    } catch {
      // they will have to connect anew
    }
  }

  #record(): CompanionRecord {
    const { name, displayName, window } = this.editor.info;
    return {
      tandem: VERSION,
      pid: process.pid,
      port: this.port,
      controlToken: this.#controlToken,
      editor: { name, displayName, ...(window === undefined ? {} : { window }) },
      workspaceFolders: this.#folders.real,
      startedAt: this.#startedAt,
      tokens: Object.fromEntries(this.#rooms.map((room) => [room.dialect.id, room.token])),
      ...(this.#kept === undefined ? {} : { kept: this.#kept }),
    };
  }
}
