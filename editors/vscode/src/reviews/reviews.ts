import { type EditorHost, type Log, type Outcome, type Review, Signal } from '@tandem/core';
import * as vscode from 'vscode';
import { Disposables } from '../disposables.ts';
import { warn } from '../messages.ts';
import type { Settings } from '../settings.ts';
import { askAboutClosed, warnIfUnsaved } from './asking.ts';
import { Attention } from './attention.ts';
import { NotesOnDemand } from './notes-on-demand.ts';
import { placeReview } from './placement.ts';
import { ReviewDocuments } from './review-documents.ts';
import { closeQuietly, groups, reviewTabs, reviewUriOf, rightIn, titleOf } from './review-tabs.ts';
import { fromEditor, sameText } from './review-text.ts';

interface DiffOptions {
  readonly viewColumn?: number;
  readonly background?: boolean;
  readonly preserveFocus: boolean;
}

/** Reviews in VS Code's own diff editor. */
export class Reviews {
  readonly changed = new Signal<void>();
  readonly notes = new NotesOnDemand({
    idOf: (uri) => this.find(this.#documents.idOf(uri) ?? '')?.id,
    inFront: () => rightIn(vscode.window.tabGroups.activeTabGroup),
  });
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #agentName: (id: string) => string;
  readonly #waiting = new Map<string, Review>();
  readonly #documents = new ReviewDocuments((id, text) => this.#saved(id, text));
  readonly #attention = new Attention();
  readonly #listeners = new Disposables();
  /** Those that the user is saving; VS Code also saves by itself. */
  readonly #savedByHand = new Set<string>();
  /** Those whose tabs we close ourselves, so that this says nothing about the user. */
  readonly #closing = new Set<string>();
  /** One after the other: where the next one goes depends on where the last one went. */
  #turns: Promise<unknown> = Promise.resolve();
  #host: EditorHost | undefined;

  constructor(settings: Settings, log: Log, agentName: (id: string) => string) {
    this.#settings = settings;
    this.#log = log;
    this.#agentName = agentName;
  }

  start(host: EditorHost): void {
    this.#host = host;
    this.#listeners.add(
      this.#documents.start(),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#typed(document)),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        const id = this.#documents.idOf(document.uri);
        if (id !== undefined && reason === vscode.TextDocumentSaveReason.Manual) this.#savedByHand.add(id);
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#tabsClosed(closed)),
      this.#attention.follow(),
    );
    // Tabs of a window that was reloaded: their reviews are over.
    this.#inTurn(() => closeQuietly(this.#tabsOf(undefined), true));
  }

  async stop(): Promise<void> {
    await this.#turns;
    this.#host = undefined;
    this.#listeners.dispose();
    this.notes.stop();
  }

  /** Those that wait, oldest first. */
  get waiting(): readonly Review[] {
    return [...this.#waiting.values()];
  }

  find(id: string): Review | undefined {
    return this.#waiting.get(id);
  }

  // What the companion asks for.

  show(review: Review): void {
    this.#waiting.set(review.id, review);
    this.#documents.add(review);
    this.#inTurn(() => this.#place(review.id));
    this.#inTurn(() => this.notes.ready());
    this.#announce();
  }

  update(review: Review): void {
    if (!this.#waiting.has(review.id)) return;
    this.#waiting.set(review.id, review);
    this.#later(this.#documents.follow(review));
    this.changed.emit();
  }

  close(review: Review): void {
    if (!this.#waiting.delete(review.id)) return;
    this.notes.ended(review, this.#documents.right(review));
    this.#inTurn(() => this.#closeTabs(review));
    this.#announce();
  }

  // What the user does.

  accept(id: string): void {
    const review = this.find(id);
    if (!review) return;
    const accepted = this.#settle(this.#host?.decide(id, { kind: 'accept', text: review.text }));
    if (accepted) this.#later(warnIfUnsaved(review.path));
  }

  reject(id: string): void {
    if (this.find(id)) this.#settle(this.#host?.decide(id, { kind: 'reject' }));
  }

  /** Shows one that waits, with the focus: the user asked for it. */
  async reveal(id: string): Promise<void> {
    const [shown] = this.#tabsOf(id);
    await this.#openDiff(id, { preserveFocus: false, ...(shown ? { viewColumn: shown.group.viewColumn } : {}) });
  }

  async addNote(id: string): Promise<void> {
    const review = this.find(id);
    if (review) await (await this.notes.ready()).begin(this.#documents.right(review), () => this.reveal(id));
  }

  async step(by: 1 | -1): Promise<void> {
    const ids = [...this.#waiting.keys()];
    const at = ids.indexOf(this.#idInFront ?? '');
    const next = at < 0 ? ids.at(by === 1 ? 0 : -1) : ids[(at + by + ids.length) % ids.length];
    if (next !== undefined) await this.reveal(next);
  }

  /** The review of a right side; or of the tab in front, or of the only one that is to be seen. */
  idFor(uri?: vscode.Uri): string | undefined {
    if (uri) return this.#documents.idOf(uri);
    const inFront = vscode.window.tabGroups.all.map((group) => this.#idIn(group));
    const visible = new Set(inFront.filter((id) => id !== undefined));
    return this.#idInFront ?? (visible.size === 1 ? [...visible][0] : undefined);
  }

  get #idInFront(): string | undefined {
    return this.#idIn(vscode.window.tabGroups.activeTabGroup);
  }

  #idIn(group: vscode.TabGroup): string | undefined {
    const right = rightIn(group);
    return right && this.#documents.idOf(right);
  }

  /** Of none: those of another session. */
  #tabsOf(id: string | undefined): vscode.Tab[] {
    return reviewTabs((uri) => this.#documents.idOf(uri) === id);
  }

  async #place(id: string): Promise<void> {
    if (this.#settings.placement === 'activeGroup') await this.#attention.settled();
    const place = placeReview(this.#settings.placement, groups(), this.#attention.inEditor);
    if (place.kind === 'list') return;
    const viewColumn = place.column === 'beside' ? vscode.ViewColumn.Beside : place.column;
    await this.#openDiff(id, { viewColumn, background: place.background, preserveFocus: true });
  }

  async #openDiff(id: string, options: DiffOptions): Promise<void> {
    const review = this.find(id);
    if (!review) return;
    const left = await this.#documents.left(review);
    if (!this.#waiting.has(id)) return;
    const title = titleOf(review, this.#agentName(review.agent), left.unsaved);
    // `override`: always the text diff, also where the user has another editor for such files.
    const all = { preview: false, override: true, ...options };
    await vscode.commands.executeCommand('vscode.diff', left.uri, this.#documents.right(review), title, all);
    // Decided while it opened.
    if (!this.#waiting.has(id)) await closeQuietly(this.#tabsOf(id), true);
  }

  async #closeTabs(review: Review): Promise<void> {
    const tabs = this.#tabsOf(review.id);
    const byUser = review.decidedBy === 'editor' && tabs.some((tab) => tab.isActive && tab.group.isActive);
    this.#closing.add(review.id);
    await closeQuietly(tabs, !byUser).finally(() => this.#closing.delete(review.id));
    this.#documents.remove(review);
    const [next] = this.#waiting.keys();
    if (byUser && next !== undefined && this.#settings.showNext) await this.reveal(next);
  }

  #typed(document: vscode.TextDocument): void {
    const review = this.find(this.#documents.idOf(document.uri) ?? '');
    if (review) this.#amend(review, document.getText());
  }

  #saved(id: string, text: string): void {
    const byHand = this.#savedByHand.delete(id);
    const review = this.find(id);
    if (!review) return;
    this.#amend(review, text);
    if (byHand && this.#settings.saveAccepts) this.accept(id);
    // Some agents say "save to continue".
    else if (byHand)
      vscode.window.setStatusBarMessage(vscode.l10n.t('Kept. The review waits for you to accept it.'), 5000);
  }

  #amend({ id, proposed, text }: Review, shown: string): void {
    if (sameText(text, shown)) return;
    this.#host?.amend(id, sameText(proposed, shown) ? proposed : fromEditor(shown, proposed));
  }

  #tabsClosed(closed: readonly vscode.Tab[]): void {
    for (const tab of closed) {
      const uri = reviewUriOf(tab);
      const id = uri && this.#documents.idOf(uri);
      if (id === undefined || this.#closing.has(id) || !this.#waiting.has(id)) continue;
      // It may have been moved to another group, or be open elsewhere too.
      if (this.#tabsOf(id).length === 0) this.#later(this.#userClosed(id));
    }
  }

  async #userClosed(id: string): Promise<void> {
    const review = this.find(id);
    const does = this.#settings.onTabClose;
    if (!review || does === 'keep') return;
    const answer = does === 'reject' ? does : await askAboutClosed(review, this.#agentName(review.agent));
    if (answer === 'reject') this.reject(id);
    if (answer === 'show') await this.reveal(id);
  }

  #settle(outcome: Outcome | undefined): boolean {
    if (outcome?.ok) return true;
    this.#later(warn(outcome?.message ?? vscode.l10n.t('Tandem is not running.')));
    return false;
  }

  #announce(): void {
    this.#later(vscode.commands.executeCommand('setContext', 'tandem.reviewsWaiting', this.#waiting.size));
    this.changed.emit();
  }

  #inTurn(work: () => Promise<unknown>): void {
    this.#turns = this.#turns.then(work).catch((error: Error) => this.#log('warn', `reviews: ${error.message}`));
  }

  /** For what nobody waits for. */
  #later(work: Thenable<unknown>): void {
    work.then(undefined, (error: Error) => this.#log('warn', `reviews: ${error.message}`));
  }
}
