import * as vscode from 'vscode';
import { ledgerText } from './ledger-text.ts';
import { rivalOf } from './rivals.ts';
import type { Window } from './window.ts';

const SCHEME = 'tandem-page';
const LEDGER = vscode.Uri.from({ scheme: SCHEME, path: '/Tandem: what has left.log' });
const DOCTOR = vscode.Uri.from({ scheme: SCHEME, path: '/Tandem: doctor.log' });
const QUIET_MS = 250;

/** What there is to read, as read-only documents. */
export class Pages implements vscode.TextDocumentContentProvider {
  readonly #window: Window;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;
  readonly #quit: () => void;
  #soon: NodeJS.Timeout | undefined;
  #diagnosis = '';

  constructor(window: Window) {
    this.#window = window;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
    this.#quit = window.noted.on(() => {
      this.#soon ??= setTimeout(() => {
        this.#soon = undefined;
        this.#changed.fire(LEDGER);
      }, QUIET_MS);
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    if (uri.path === DOCTOR.path) return this.#diagnosis;
    const head = vscode.l10n.t('What has left this window, newest first. It is kept in memory only.');
    return `${head}\n\n${ledgerText(this.#window.companion.ledger.entries)}`;
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#quit();
    this.#registration.dispose();
    this.#changed.dispose();
  }

  /** Follows while it is open. */
  async showLedger(): Promise<void> {
    this.#changed.fire(LEDGER);
    await vscode.window.showTextDocument(LEDGER, { preview: false });
  }

  async showDoctor(): Promise<void> {
    const look = async () => {
      const { diagnose } = await import('./doctor.ts');
      this.#diagnosis = await diagnose(this.#window.companion, rivalOf);
    };
    const title = vscode.l10n.t('Looking at what agents find from here…');
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, look);
    this.#changed.fire(DOCTOR);
    await vscode.window.showTextDocument(DOCTOR, { preview: false });
  }
}
