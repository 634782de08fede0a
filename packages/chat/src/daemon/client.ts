import { realpathSync } from 'node:fs';
import * as z from 'zod';
import type { SessionPage } from '../connection.ts';
import { type DaemonAddress, DaemonHttp, DaemonRefusal } from './http.ts';
import { Capabilities, SessionList } from './schema.ts';

/** Without these there is no conversation; everything else is asked for where it is used. */
const NEEDED = ['session_create', 'session_load', 'session_prompt', 'session_events', 'session_cancel'] as const;

export class DaemonUnsuitable extends Error {}

export class WorkspaceMismatch extends Error {
  readonly ours: string;
  readonly theirs: readonly string[];

  constructor(ours: string, theirs: readonly string[]) {
    super(`the daemon works in ${theirs.join(', ') || 'no folder'}, but this window is in ${ours}`);
    this.ours = ours;
    this.theirs = theirs;
  }
}

/** One daemon: what it is and what it knows. Sessions are `DaemonSessionClient`'s. */
export class DaemonClient {
  readonly http: DaemonHttp;
  #capabilities: Capabilities | undefined;

  constructor(address: DaemonAddress) {
    this.http = new DaemonHttp(address);
  }

  /** Asked anew each time: a restarted daemon may be another one. */
  async capabilities(): Promise<Capabilities> {
    this.#capabilities = await this.http.ask('/capabilities', Capabilities, { timeoutMs: 15_000 });
    return this.#capabilities;
  }

  has(feature: string): boolean {
    return this.#capabilities?.features.includes(feature) ?? false;
  }

  get version(): string | undefined {
    return this.#capabilities?.qwenCodeVersion;
  }

  /** Speaks our protocol, can what we need, and works in this folder. Real paths; a folder inside does not count. */
  async verify(folder: string): Promise<string> {
    const { protocolVersions, features, workspaceCwd, workspaces } = await this.capabilities();
    if (!protocolVersions.supported.includes('v1')) {
      throw new DaemonUnsuitable(`the daemon speaks protocol ${protocolVersions.current}; v1 is needed`);
    }
    const missing = NEEDED.filter((feature) => !features.includes(feature));
    if (missing.length > 0) throw new DaemonUnsuitable(`the daemon cannot do ${missing.join(', ')}; update Qwen Code`);
    const ours = real(folder);
    const match = real(workspaceCwd) === ours ? workspaceCwd : await this.#further(ours, workspaces);
    if (typeof match === 'string') return match;
    throw new WorkspaceMismatch(ours, match.length > 0 ? match : [workspaceCwd]);
  }

  /** A daemon may have several folders, but in its first seconds it knows of one only. A runtime request waits for that. */
  async #further(ours: string, known: Capabilities['workspaces']): Promise<string | readonly string[]> {
    let workspaces = known;
    if (!workspaces) {
      await this.diagnostic('/workspace/mcp', z.unknown());
      workspaces = (await this.capabilities()).workspaces ?? [];
    }
    const folders = workspaces.map(({ cwd }) => cwd);
    return folders.find((cwd) => real(cwd) === ours) ?? folders;
  }

  async sessions(cwd: string, cursor?: string): Promise<SessionPage> {
    const query = new URLSearchParams({ size: '50', ...(cursor === undefined ? {} : { cursor }) });
    const page = await this.http.ask(`/workspace/${encodeURIComponent(cwd)}/sessions?${query}`, SessionList);
    return {
      sessions: page.sessions.map((each) => ({
        id: each.sessionId,
        title: each.displayName ?? '',
        cwd: each.workspaceCwd,
        ...(each.updatedAt === undefined ? {} : { updatedAt: each.updatedAt }),
        ...(each.hasActivePrompt ? { running: true } : {}),
        ...((each.pendingInteractionCount ?? 0) > 0 ? { waiting: true } : {}),
      })),
      ...(page.nextCursor === undefined ? {} : { next: String(page.nextCursor) }),
    };
  }

  /** A diagnostic route; `undefined` where this daemon has none. */
  async diagnostic<T extends z.ZodType>(path: string, answer: T): Promise<z.infer<T> | undefined> {
    try {
      return await this.http.ask(path, answer, { timeoutMs: 15_000 });
    } catch (error) {
      if (error instanceof DaemonRefusal && error.status === 401) throw error;
      return undefined;
    }
  }

  async rename(sessionId: string, displayName: string): Promise<void> {
    const asking = { method: 'PATCH', body: { displayName } } as const;
    await this.http.ask(`/session/${encodeURIComponent(sessionId)}/metadata`, z.unknown(), asking);
  }
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // the daemon may be on another machine
  }
}
