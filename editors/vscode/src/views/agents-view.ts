import type { Link, PublishedDialect } from '@tandem/core';
import * as vscode from 'vscode';
import { rivalOf } from '../rivals.ts';
import { restrictedText } from '../status-bar.ts';
import { type Window, who } from '../window.ts';

type Node =
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'dialect'; readonly published: PublishedDialect };

/** Who is connected, who could be, and what went wrong. */
export class AgentsView implements vscode.TreeDataProvider<Node> {
  readonly #window: Window;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #quit: () => void;
  #shown = '';

  constructor(window: Window) {
    this.#window = window;
    this.#view = vscode.window.createTreeView('tandem.agents', { treeDataProvider: this });
    const quit = window.changed.on(() => this.#refresh());
    const installed = vscode.extensions.onDidChange(() => this.#changed.fire(undefined));
    this.#quit = () => {
      quit();
      installed.dispose();
    };
    this.#refresh();
  }

  dispose(): void {
    this.#quit();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getChildren(node?: Node): Node[] {
    const { companion } = this.#window;
    if (!node) return companion.published.map((published) => ({ kind: 'dialect', published }));
    if (node.kind === 'link') return [];
    const links = companion.links.all.filter(({ agent }) => agent.id === node.published.dialect.id);
    return links.map((link) => ({ kind: 'link', link }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === 'link' ? linkItem(node.link) : dialectItem(node.published, this.getChildren(node).length);
  }

  /** Most changes are the caret's; the tree is drawn anew only for those it shows. */
  #refresh(): void {
    const { companion, problem } = this.#window;
    const shown = JSON.stringify([
      companion.links.all.map(({ id, agent, lastError }) => [id, agent, lastError]),
      companion.published.map(({ dialect, files, error }) => [dialect.id, files, error]),
      problem,
      vscode.workspace.isTrusted,
    ]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#view.message = problem ?? (vscode.workspace.isTrusted ? '' : restrictedText());
    this.#changed.fire(undefined);
  }
}

function linkItem(link: Link): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { agent, since, lastError } = link;
  const item = new vscode.TreeItem(who(agent));
  const at = t('since {0}', new Date(since).toLocaleTimeString());
  item.id = link.id;
  item.description = [
    at,
    ...(agent.pid === undefined ? [] : [`pid ${agent.pid}`]),
    ...(lastError ? [lastError] : []),
  ].join(' · ');
  item.tooltip = lastError ?? item.description;
  item.iconPath = lastError
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'))
    : new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
  item.contextValue = 'link';
  return item;
}

function dialectItem({ dialect, files, error }: PublishedDialect, links: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(dialect.agent, links > 0 ? Expanded : None);
  // Another one once somebody is connected, because VS Code remembers that it was closed.
  item.id = `${dialect.id} ${links > 0}`;
  const state = error ?? (links > 0 ? t('{0} connected', links) : t('waits for it to connect'));
  const rival = rivalOf(dialect.id);
  item.description = rival === undefined ? state : `${state} · ${t('“{0}” offers itself too', rival)}`;
  item.tooltip = error ?? [t('Start it in a terminal: {0}', dialect.start.line), ...files].join('\n');
  const icon = links > 0 ? 'link' : rival === undefined ? 'circle-outline' : 'warning';
  item.iconPath = new vscode.ThemeIcon(error === undefined ? icon : 'error');
  item.contextValue = 'dialect';
  return item;
}
