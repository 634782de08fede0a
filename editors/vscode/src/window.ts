import { basename, dirname } from 'node:path';
import {
  type AgentInfo,
  Companion,
  DIALECTS,
  type Log,
  type Notice,
  Policy,
  SHARING,
  type Sharing,
  Signal,
} from '@tandem/core';
import * as vscode from 'vscode';
import { VsCodeEditor } from './adapter.ts';
import { Disposables } from './disposables.ts';
import { KeptEdits } from './kept-edits.ts';
import { logTo } from './log.ts';
import { complain, inform, warn } from './messages.ts';
import { onSettingChanged, Settings } from './settings.ts';
import { TerminalEnvironment } from './terminal-environment.ts';

const SHARING_KEY = 'sharing';

/** What the user chose for this window, and what the setting was then: a change of the setting is a newer wish. */
interface Chosen {
  readonly sharing: Sharing;
  readonly setting: Sharing;
}

/** One window of VS Code: its editor, its companion, and what of it changes. */
export class Window {
  readonly settings = new Settings();
  readonly editor: VsCodeEditor;
  readonly keptEdits: KeptEdits;
  readonly log: Log;
  /** Anything that is shown somewhere has changed. */
  readonly changed = new Signal<void>();
  readonly noted = new Signal<void>();
  /** The companion and its desk end, and others take their place. */
  readonly restarting = new Signal<void>();
  /** What went wrong at the start, in plain words. */
  problem: string | undefined;
  #companion: Companion;
  readonly #context: vscode.ExtensionContext;
  readonly #environment: TerminalEnvironment;
  readonly #listeners = new Disposables();
  #turns: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel) {
    this.#context = context;
    this.log = logTo(channel);
    this.keptEdits = new KeptEdits(context.storageUri?.fsPath ?? context.globalStorageUri.fsPath, this.log);
    const window = context.storageUri && basename(dirname(context.storageUri.fsPath));
    this.editor = new VsCodeEditor(
      { log: this.log, agentName, told: (notice) => this.#tell(notice), window },
      this.settings,
    );
    this.#environment = new TerminalEnvironment(context.environmentVariableCollection, this.settings);
    this.#companion = this.#newCompanion();
    this.#listeners.add(
      { dispose: this.editor.reviews.changed.on(() => this.changed.emit()) },
      onSettingChanged(['agents.disabled'], () => this.restart()),
      onSettingChanged(['terminals.environment'], () => this.#published()),
      onSettingChanged(['sharing'], () => {
        this.#companion.policy.sharing = this.#chosenSharing();
      }),
      onSettingChanged(['deny'], () => this.#companion.policy.denyAlso(this.settings.deny)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.emit()),
    );
  }

  get companion(): Companion {
    return this.#companion;
  }

  get sharing(): Sharing {
    return this.#companion.policy.sharing;
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#start());
  }

  stop(): Promise<void> {
    this.#listeners.dispose();
    this.#environment.clear();
    return this.#inTurn(() => this.#companion.stop());
  }

  restart(): void {
    const again = async () => {
      this.restarting.emit();
      await this.#companion.stop();
      this.#companion = this.#newCompanion();
      await this.#start();
    };
    this.#inTurn(again).catch((error: Error) => this.log('error', error.message));
  }

  /** For this window, and kept when it is reloaded; the setting stays as it is. */
  async setSharing(sharing: Sharing): Promise<void> {
    this.#companion.policy.sharing = sharing;
    const chosen: Chosen = { sharing, setting: this.settings.sharing };
    await this.#context.workspaceState.update(SHARING_KEY, chosen);
  }

  async #start(): Promise<void> {
    const companion = this.#companion;
    const begun = performance.now();
    try {
      await companion.start();
      this.problem = undefined;
      // With something kept the port stays the same over a reload, and with it what open terminals know.
      companion.keep({ reloads: true });
      this.log('info', `listens on port ${companion.port} after ${Math.round(performance.now() - begun)} ms`);
    } catch (error) {
      this.problem = (error as Error).message;
      this.log('error', `Tandem could not start: ${this.problem}`);
    }
    this.#published();
    this.keptEdits.offer();
  }

  #newCompanion(): Companion {
    const companion = new Companion({
      editor: this.editor,
      dialects: DIALECTS.filter((dialect) => !this.settings.disabledAgents.includes(dialect.id)),
      policy: new Policy({ sharing: this.#chosenSharing(), deny: this.settings.deny }),
      log: this.log,
    });
    const changed = () => this.changed.emit();
    companion.links.joined.on((link) => this.log('info', `${who(link.agent)} connected`));
    companion.links.left.on((link) => this.log('info', `${who(link.agent)} is gone`));
    for (const signal of [companion.links.joined, companion.links.left, companion.links.updated]) signal.on(changed);
    companion.policy.changed.on(changed);
    companion.workspace.changed.on(changed);
    // Also when another process turns out to be the editor's; once the companion has published it.
    companion.workspace.foldersChanged.on(() => setImmediate(() => this.#published()));
    companion.ledger.noted.on(() => this.noted.emit());
    return companion;
  }

  #published(): void {
    this.#environment.set(this.#companion.published);
    this.changed.emit();
  }

  #chosenSharing(): Sharing {
    const chosen = this.#context.workspaceState.get<Chosen>(SHARING_KEY);
    const { sharing } = this.settings;
    return chosen?.setting === sharing && SHARING.includes(chosen.sharing) ? chosen.sharing : sharing;
  }

  #tell(notice: Notice): void {
    const { review } = notice;
    if (review?.withdrawn) return this.keptEdits.keep(review, agentName(review.agent));
    const show = { info: inform, warning: warn, error: complain }[notice.level];
    show(notice.message).then(undefined, () => {});
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turns.then(work);
    this.#turns = turn.catch(() => {});
    return turn;
  }
}

/** Those that are talked to in the chat and speak none of the dialects. */
const others = new Map<string, string>();

export function nameAgent(id: string, name: string): void {
  others.set(id, name);
}

export function agentName(id: string): string {
  return DIALECTS.find((dialect) => dialect.id === id)?.agent ?? others.get(id) ?? id;
}

export function who(agent: AgentInfo): string {
  return agent.version === undefined ? agent.name : `${agent.name} ${agent.version}`;
}
