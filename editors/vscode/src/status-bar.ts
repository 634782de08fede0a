import * as vscode from 'vscode';
import type { Window } from './window.ts';
import { who } from './window.ts';

const ICON = { auto: '$(eye)', explicit: '$(eye-closed)', off: '$(circle-slash)' };

/** What is shared and with whom, and how many reviews wait. */
export class StatusBar {
  readonly #window: Window;
  readonly #context: vscode.StatusBarItem;
  readonly #reviews: vscode.StatusBarItem;
  readonly #quit: () => void;

  constructor(window: Window) {
    this.#window = window;
    this.#context = vscode.window.createStatusBarItem('tandem.context', vscode.StatusBarAlignment.Right, 90);
    this.#context.name = vscode.l10n.t('Tandem: Shared Context');
    this.#context.command = 'tandem.setSharing';
    this.#reviews = vscode.window.createStatusBarItem('tandem.reviews', vscode.StatusBarAlignment.Right, 91);
    this.#reviews.name = vscode.l10n.t('Tandem: Reviews');
    this.#reviews.command = 'tandem.nextReview';
    this.#quit = window.changed.on(() => this.#show());
    this.#show();
  }

  dispose(): void {
    this.#quit();
    this.#context.dispose();
    this.#reviews.dispose();
  }

  #show(): void {
    this.#showContext();
    this.#showReviews();
  }

  #showContext(): void {
    const { companion, sharing, problem } = this.#window;
    const agents = companion.links.all;
    const item = this.#context;
    item.text = `${problem === undefined ? ICON[sharing] : '$(warning)'} Tandem${agents.length > 0 ? ` ${agents.length}` : ''}`;
    item.tooltip = this.#tooltip();
    item.backgroundColor = problem === undefined ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    item.accessibilityInformation = {
      label: `Tandem: ${sharing}, ${agents.map(({ agent }) => agent.name).join(', ')}`,
    };
    item.show();
  }

  #tooltip(): vscode.MarkdownString {
    const { t } = vscode.l10n;
    const { companion, sharing, problem } = this.#window;
    const agents = companion.links.all.map(({ agent }) => who(agent));
    const shared = companion.context;
    const lines = [
      problem ?? (agents.length > 0 ? t('Connected: {0}', agents.join(', ')) : t('No agent is connected.')),
      sharingText(sharing),
    ];
    if (sharing === 'auto' && shared.active) {
      const selected = shared.active.selections[0]?.text.length ?? 0;
      const file = vscode.workspace.asRelativePath(shared.active.path);
      lines.push(
        t('In front: {0}', file) + (selected > 0 ? ` (${t('{0} characters selected', selected)})` : ''),
        t('Open files: {0}', shared.documents.length),
      );
    }
    if (!vscode.workspace.isTrusted) lines.push(restrictedText());
    return new vscode.MarkdownString().appendText(lines.join('\n\n'));
  }

  #showReviews(): void {
    const count = this.#window.editor.reviews.waiting.length;
    if (count === 0) return this.#reviews.hide();
    this.#reviews.text = `$(git-compare) ${count}`;
    this.#reviews.tooltip = vscode.l10n.t('{0} reviews wait for you. Click to see the next one.', count);
    this.#reviews.accessibilityInformation = { label: vscode.l10n.t('Tandem reviews waiting: {0}', count) };
    this.#reviews.show();
  }
}

export function sharingText(sharing: 'auto' | 'explicit' | 'off'): string {
  const { t } = vscode.l10n;
  switch (sharing) {
    case 'auto':
      return t('Agents see your open files, cursor and selection.');
    case 'explicit':
      return t('Agents see only what you send.');
    case 'off':
      return t('Nothing is shared.');
  }
}

export function restrictedText(): string {
  return vscode.l10n.t(
    'Restricted mode: agents are told that this workspace is not trusted, no code is run for them and none is started from here.',
  );
}
