import { normaliseOpenFiles, type OpenFile } from './context.ts';
import type { DialectName } from './endpoint.ts';
import { openHttpWire } from './http-wire.ts';
import type { Locate } from './lifeline.ts';
import { CompanionLink, type Diff, type LinkOptions } from './link.ts';
import { WaitingDiff } from './open-diff.ts';
import { CONTEXT_UPDATE, DIFF_ACCEPTED, DIFF_REJECTED, fieldsOf } from './schema.ts';
import { NotConnected, Unsupported } from './wire.ts';

/** The dialect of Gemini CLI and Qwen Code: a diff is opened at once, and its decision comes as a notification. */
export class IdeLink extends CompanionLink {
  /** By the exact path: the companion answers with the same spelling. */
  readonly #diffs = new Map<string, WaitingDiff>();
  /** Given up here while the connection was broken; the companion may still show them. */
  readonly #orphans = new Set<string>();

  constructor(dialect: DialectName, locate: Locate, options: LinkOptions) {
    super(dialect, locate, openHttpWire, options);
  }

  openDiff(path: string, text: string): Diff {
    this.#diffs.get(path)?.settle({ kind: 'closed' }); // the companion replaces it
    const diff = new WaitingDiff(path, text, (each) => this.#close(each));
    this.#diffs.set(path, diff);
    this.callForDiff({ filePath: path, newContent: text }).then(
      ({ isError, texts }) => isError && this.#end(path, diff, texts.join('\n') || 'the companion cannot show it'),
      (error: Error) => {
        this.#end(path, diff, error.message);
        // It may have arrived all the same, with nobody left to take the answer.
        if (!(error instanceof Unsupported)) this.#abandon(path);
      },
    );
    return diff;
  }

  async closeDiffs(): Promise<void> {
    await Promise.all([...this.#diffs.values()].map((diff) => diff.close()));
  }

  protected canDiff(tools: ReadonlySet<string>): boolean {
    return tools.has('openDiff') && tools.has('closeDiff'); // as the agents see it: both or none
  }

  protected hear(method: string, params: unknown): void {
    switch (method) {
      case 'ide/contextUpdate':
        return this.#hearContext(params);
      case 'ide/diffAccepted': {
        const { success, data, error } = DIFF_ACCEPTED.safeParse(params);
        if (!success) return this.malformed(method, fieldsOf(error));
        // An empty text is none: the agents write what was proposed.
        const proposed = this.#diffs.get(data.filePath)?.proposed ?? '';
        return this.#decide(data.filePath, { kind: 'accepted', text: data.content || proposed });
      }
      case 'ide/diffRejected':
      case 'ide/diffClosed': {
        const { success, data, error } = DIFF_REJECTED.safeParse(params);
        if (!success) return this.malformed(method, fieldsOf(error));
        return this.#decide(data.filePath, { kind: 'rejected' });
      }
    }
  }

  protected forget(why: string): void {
    for (const diff of this.#diffs.values()) {
      diff.settle({ kind: 'lost', why });
      this.#orphans.add(diff.path);
    }
    this.#diffs.clear();
  }

  protected override welcome(): void {
    for (const path of this.#orphans) void this.#closeOrphan(path);
  }

  protected async leave(): Promise<void> {
    if (this.state === 'connected') await this.closeDiffs();
    this.forget('the link is closed');
  }

  #hearContext(params: unknown): void {
    const { success, data, error } = CONTEXT_UPDATE.safeParse(params);
    if (!success) return this.malformed('ide/contextUpdate', fieldsOf(error));
    const { openFiles = [], isTrusted } = data.workspaceState ?? {};
    this.tell({
      files: normaliseOpenFiles(openFiles as readonly OpenFile[]),
      ...(isTrusted === undefined ? {} : { trusted: isTrusted }),
    });
  }

  #decide(path: string, decision: Parameters<WaitingDiff['settle']>[0]): void {
    this.#diffs.get(path)?.settle(decision);
    this.#diffs.delete(path);
  }

  #end(path: string, diff: WaitingDiff, why: string): void {
    diff.settle({ kind: 'lost', why });
    if (this.#diffs.get(path) === diff) this.#diffs.delete(path);
  }

  /** The first request after a break may still meet a connection that is dead. */
  async #closeOrphan(filePath: string): Promise<void> {
    for (let attempt = 0; attempt < 3 && !this.#diffs.has(filePath); attempt += 1) {
      try {
        await this.call('closeDiff', { filePath, suppressNotification: true });
        break;
      } catch (error) {
        if (error instanceof NotConnected) return; // the next welcome tries again
        await new Promise((resolve) => setTimeout(resolve, 100).unref());
      }
    }
    this.#orphans.delete(filePath);
  }

  #abandon(path: string): void {
    this.#orphans.add(path);
    if (this.state === 'connected') void this.#closeOrphan(path);
  }

  async #close(diff: WaitingDiff): Promise<string | undefined> {
    if (this.#diffs.get(diff.path) === diff) this.#diffs.delete(diff.path);
    const input = { filePath: diff.path, suppressNotification: true };
    const { texts } = await this.call('closeDiff', input);
    return contentOf(texts[0]);
  }
}

/** JSON `{"content": …}`; whatever else comes counts as no text, as with the agents. */
function contentOf(text: string | undefined): string | undefined {
  try {
    const { content } = JSON.parse(text ?? '') as { content?: unknown };
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}
