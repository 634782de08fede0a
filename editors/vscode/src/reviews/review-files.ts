import * as vscode from 'vscode';
import { fromBytes, toBytes } from './review-text.ts';

interface File {
  text: string;
  readonly ctime: number;
  mtime: number;
}

/**
 * The right sides of reviews as files, so that the diff editor lets the user type in them, undo, format and put single
 * changes back. A file holds what was last saved; what is typed since then is in VS Code's document.
 */
export class ReviewFiles implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #files = new Map<string, File>();
  readonly #saved: (uri: vscode.Uri, text: string) => void;

  /** `saved` hears of every write that VS Code makes. */
  constructor(saved: (uri: vscode.Uri, text: string) => void) {
    this.#saved = saved;
  }

  put(uri: vscode.Uri, text: string): void {
    const now = Date.now();
    const file = this.#files.get(key(uri));
    if (!file) {
      this.#files.set(key(uri), { text, ctime: now, mtime: now });
      return;
    }
    file.text = text;
    file.mtime = Math.max(now, file.mtime + 1); // a reader compares it
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  remove(uri: vscode.Uri): void {
    this.#files.delete(key(uri));
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, ctime, mtime } = this.#file(uri);
    return { type: vscode.FileType.File, ctime, mtime, size: Buffer.byteLength(text) };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return toBytes(this.#file(uri).text, needsMark(uri));
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const file = this.#file(uri);
    file.text = fromBytes(bytes);
    file.mtime = Math.max(Date.now(), file.mtime + 1);
    this.#saved(uri, file.text);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** One that is over is empty: VS Code may still read it on the way to closing its tab, also after a reload. */
  #file(uri: vscode.Uri): File {
    return this.#files.get(key(uri)) ?? { text: '', ctime: 0, mtime: 0 };
  }
}

function key(uri: vscode.Uri): string {
  return uri.query;
}

/** Where the user's files are in another encoding, ours must say that they are UTF-8. */
function needsMark(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  return files.get('encoding', 'utf8') !== 'utf8' || files.get('autoGuessEncoding', false);
}
