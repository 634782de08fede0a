import { DIALECTS, type Dialect, findProgram } from '@tandem/core';
import * as vscode from 'vscode';
import { programOf } from './agents-on-path.ts';
import { inform, warn } from './messages.ts';
import { restrictedText } from './status-bar.ts';
import type { Window } from './window.ts';

/** By agent, those that were started here. */
const started = new Map<string, vscode.Terminal>();

/** The terminal that an agent was last started in from here, while it is open. */
export function terminalOf(agent: string): vscode.Terminal | undefined {
  const terminal = started.get(agent);
  return terminal?.exitStatus === undefined ? terminal : undefined;
}

/** A terminal with an agent in it; the variables that lead it here are set for every terminal of this window. */
export async function startAgent(window: Window, id?: string): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    const manage = vscode.l10n.t('Manage Workspace Trust');
    const answer = await warn(restrictedText(), manage);
    if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  const published = window.companion.published.filter((each) => each.error === undefined).map((each) => each.dialect);
  const dialect = id === undefined ? await choose(window, published) : DIALECTS.find((each) => each.id === id);
  if (!dialect) return;
  const folder = await chooseFolder();
  const terminal = vscode.window.createTerminal({
    name: dialect.agent,
    iconPath: new vscode.ThemeIcon('hubot'),
    ...(folder ? { cwd: folder } : {}),
  });
  started.set(dialect.id, terminal);
  terminal.show();
  terminal.sendText(lineOf(window, dialect));
  if (dialect.start.once) await inform(once(dialect));
}

function lineOf(window: Window, dialect: Dialect): string {
  return window.settings.startCommands[dialect.id] ?? dialect.start.line;
}

async function choose(window: Window, dialects: readonly Dialect[]): Promise<Dialect | undefined> {
  const { t } = vscode.l10n;
  const items = dialects.map((dialect) => {
    const description = lineOf(window, dialect);
    return {
      label: dialect.agent,
      description,
      dialect,
      found: findProgram(programOf(description), process.env) !== undefined,
    };
  });
  // A terminal may know a way that the extension host does not, so those not found can be tried too.
  const line = { label: t('not found on PATH'), kind: vscode.QuickPickItemKind.Separator, dialect: undefined };
  const missing = items.filter(({ found }) => !found);
  const all = [...items.filter(({ found }) => found), ...(missing.length > 0 ? [line, ...missing] : [])];
  return (await vscode.window.showQuickPick(all, { placeHolder: t('Start which agent?') }))?.dialect;
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0]?.uri;
  return (await vscode.window.showWorkspaceFolderPick())?.uri;
}

function once(dialect: Dialect): string {
  return vscode.l10n.t('The first time, in {0}: {1}', dialect.agent, dialect.start.once ?? '');
}
