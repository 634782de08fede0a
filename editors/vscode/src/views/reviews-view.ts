import { basename, dirname } from 'node:path';
import { isAmended, type Review } from '@tandem/core';
import * as vscode from 'vscode';
import { agentName, type Window } from '../window.ts';

type Node = { readonly kind: 'agent'; readonly id: string } | { readonly kind: 'review'; readonly id: string };

/** Every review that waits, by agent. */
export class ReviewsView implements vscode.TreeDataProvider<Node> {
  readonly #window: Window;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #quit: () => void;

  constructor(window: Window) {
    this.#window = window;
    this.#view = vscode.window.createTreeView('tandem.reviews', { treeDataProvider: this });
    this.#quit = window.editor.reviews.changed.on(() => this.#refresh());
  }

  dispose(): void {
    this.#quit();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getChildren(node?: Node): Node[] {
    const { waiting } = this.#window.editor.reviews;
    if (!node) return [...new Set(waiting.map((review) => review.agent))].map((id) => ({ kind: 'agent', id }));
    if (node.kind === 'review') return [];
    return waiting.filter(({ agent }) => agent === node.id).map(({ id }) => ({ kind: 'review', id }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'agent') {
      const item = new vscode.TreeItem(agentName(node.id), vscode.TreeItemCollapsibleState.Expanded);
      item.id = `agent ${node.id}`;
      item.iconPath = new vscode.ThemeIcon('hubot');
      item.contextValue = 'agent';
      return item;
    }
    const review = this.#window.editor.reviews.find(node.id);
    return review ? reviewItem(review) : new vscode.TreeItem('');
  }

  #refresh(): void {
    const count = this.#window.editor.reviews.waiting.length;
    const tooltip = vscode.l10n.t('Tandem reviews waiting: {0}', count);
    this.#view.badge = count > 0 ? { value: count, tooltip } : undefined;
    this.#changed.fire(undefined);
  }
}

function reviewItem(review: Review): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(basename(review.path));
  const folder = dirname(vscode.workspace.asRelativePath(review.path));
  const notes = [
    ...(folder === '.' ? [] : [folder]),
    ...(review.outsideWorkspace ? [t('outside the workspace')] : []),
    ...(isAmended(review) ? [t('edited')] : []),
  ];
  item.id = `review ${review.id}`;
  item.description = notes.join(' · ');
  item.tooltip = review.path;
  item.resourceUri = vscode.Uri.file(review.path);
  item.iconPath = review.outsideWorkspace ? new vscode.ThemeIcon('warning') : vscode.ThemeIcon.File;
  item.contextValue = 'review';
  item.command = { command: 'tandem.showReview', title: '', arguments: [{ kind: 'review', id: review.id }] };
  return item;
}
