import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as asks from './claude-asks.ts';
import { normaliseOpenFiles } from './context.ts';
import type { Locate } from './lifeline.ts';
import { CompanionLink, type Decision, type Diff, type LinkOptions } from './link.ts';
import { WaitingDiff } from './open-diff.ts';
import { AT_MENTIONED, fieldsOf, SELECTION_CHANGED } from './schema.ts';
import { openSocketWire } from './socket-wire.ts';
import type { ToolResult } from './wire.ts';

/** Claude Code's dialect: a diff is one request that is answered with the decision. */
export class ClaudeLink extends CompanionLink {
  readonly #diffs = new Set<WaitingDiff>();
  readonly #title: string;
  #stamp = 0;

  constructor(locate: Locate, options: LinkOptions) {
    super('claude', locate, openSocketWire, options);
    this.#title = options.agent?.title ?? 'Agent';
  }

  openDiff(path: string, text: string): Diff {
    const tab = `✻ [${this.#title}] ${basename(path)} (${randomBytes(3).toString('hex')}) ⧉`;
    const diff = new WaitingDiff(path, text, async () => {
      this.#diffs.delete(diff);
      await this.call('close_tab', { tab_name: tab });
      return undefined; // this dialect does not tell what it held
    });
    this.#diffs.add(diff);
    const input = { old_file_path: path, new_file_path: path, new_file_contents: text, tab_name: tab };
    void this.#await(diff, tab, input);
    return diff;
  }

  async closeDiffs(): Promise<void> {
    for (const diff of this.#diffs) diff.settle({ kind: 'closed' });
    this.#diffs.clear();
    await this.call('closeAllDiffTabs');
  }

  /** Of one file, or of all that have any. */
  diagnostics(path?: string): Promise<readonly asks.FileDiagnostics[]> {
    return asks.diagnostics(this, path);
  }

  openEditors(): Promise<readonly asks.OpenEditor[]> {
    return asks.openEditors(this);
  }

  workspaceFolders(): Promise<readonly string[]> {
    return asks.workspaceFolders(this);
  }

  openFile(request: asks.OpenFileRequest): Promise<void> {
    return asks.openFile(this, request);
  }

  /** `false` when it is not open. */
  save(path: string): Promise<boolean> {
    return asks.save(this, path);
  }

  protected canDiff(tools: ReadonlySet<string>): boolean {
    return tools.has('openDiff');
  }

  protected hear(method: string, params: unknown): void {
    if (method === 'selection_changed') this.#hearSelection(params);
    else if (method === 'at_mentioned') this.#hearMention(params);
  }

  protected forget(why: string): void {
    for (const diff of this.#diffs) diff.settle({ kind: 'lost', why });
    this.#diffs.clear();
  }

  protected async leave(): Promise<void> {
    if (this.state === 'connected' && this.#diffs.size > 0) await this.closeDiffs().catch(() => {});
    this.forget('the link is closed');
  }

  async #await(diff: WaitingDiff, tab: string, input: object): Promise<void> {
    const isNew = !existsSync(diff.path);
    const decision = await this.callForDiff(input).then(
      (result) => this.#decision(result, diff.proposed, isNew),
      (error: Error): Decision => ({ kind: 'lost', why: error.message }),
    );
    // As Claude Code does after every diff: some companions leave the tab open until they are told.
    if (diff.isOpen && this.state === 'connected') this.call('close_tab', { tab_name: tab }).catch(() => {});
    diff.settle(decision);
    this.#diffs.delete(diff);
  }

  #hearSelection(params: unknown): void {
    const { success, data, error } = SELECTION_CHANGED.safeParse(params);
    if (!success) return this.malformed('selection_changed', fieldsOf(error));
    // As the CLI has it: without a file or a range nothing is said, and what was said before still holds.
    if (!data.filePath || !data.selection) return;
    const { start, end } = data.selection;
    this.#stamp = Math.max(Date.now(), this.#stamp + 1);
    const file = {
      path: data.filePath,
      timestamp: this.#stamp,
      isActive: true,
      cursor: fromOne(end),
      selection: { start: fromOne(start), end: fromOne(end) },
      ...(data.text ? { selectedText: data.text } : {}),
    };
    this.tell({ files: normaliseOpenFiles([file]) });
  }

  #hearMention(params: unknown): void {
    const { success, data, error } = AT_MENTIONED.safeParse(params);
    if (!success) return this.malformed('at_mentioned', fieldsOf(error));
    const { filePath: path, lineStart, lineEnd } = data;
    const whole = lineStart === undefined || lineEnd === undefined;
    this.emit('mention', whole ? { path } : { path, lines: { start: lineStart + 1, end: lineEnd + 1 } });
  }

  #decision({ texts, isError }: ToolResult, proposed: string, isNew: boolean): Decision {
    const [word, text] = texts;
    if (isError) return { kind: 'lost', why: texts.join('\n') || 'the companion cannot show it' };
    if (word === 'DIFF_REJECTED') return { kind: 'rejected' };
    if (word === 'TAB_CLOSED') return { kind: 'accepted', text: proposed };
    if (word === 'FILE_SAVED' && text !== undefined) {
      // Claude Code drops one newline at the end of a new file, so our own companion adds one for it.
      const padded = isNew && this.server.name === 'tandem' && text.endsWith('\n\n');
      return { kind: 'accepted', text: padded ? text.slice(0, -1) : text };
    }
    return { kind: 'lost', why: `the companion answered ${JSON.stringify(word)}` };
  }
}

/** This wire counts from 0. */
function fromOne({ line, character }: { line: number; character: number }) {
  return { line: line + 1, character: character + 1 };
}
