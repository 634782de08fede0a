import { createHash } from 'node:crypto';
import { readdirSync, rmdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensurePrivateDirectory, type Places, readOwnJson, removeFile, writePrivateFile } from '@tandem/core';
import { isKeptChat, type KeptChat } from './kept.ts';

export interface KeptPlace {
  readonly places: Pick<Places, 'home' | 'env'>;
  /** What is open there: the folder, or the editor's own name for the window. */
  readonly where: string;
  /** Whose file it is among those of the same place. */
  readonly owner: string;
  /** Whether that owner still has its conversations. */
  readonly lives?: (owner: string) => boolean;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_CHATS = 20;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** The open conversations of a window on disk, for the eyes of their owner only, so that the next one takes them up. */
export class KeptChats {
  readonly #home: string;
  readonly #place: KeptPlace;
  #written = '';
  #taken = false;
  #closed = false;

  constructor(place: KeptPlace) {
    const { home, env } = place.places;
    this.#home = env.TANDEM_HOME ? resolve(env.TANDEM_HOME) : join(home, '.tandem');
    this.#place = place;
  }

  /** What those who are gone have left; from now on it is this owner's to keep. */
  take(): readonly KeptChat[] {
    this.#taken = true;
    const youngest = Date.now() - MAX_AGE_MS;
    const files = this.#files();
    const found = files.flatMap((file) => {
      const chats = readOwnJson(file, MAX_BYTES)?.chats;
      return Array.isArray(chats) ? chats.filter(isKeptChat).filter(({ at }) => at > youngest) : [];
    });
    try {
      this.save(found);
      for (const file of files) if (file !== this.#file) removeFile(file);
      this.#forgetOld(youngest);
    } catch {
      // They can be shown all the same; whoever saves next hears why it cannot be done.
    }
    return found;
  }

  save(chats: readonly KeptChat[]): void {
    if (this.#closed) return;
    const kept = chats.slice(-MAX_CHATS);
    const key = JSON.stringify(kept.map(({ at: _, ...rest }) => rest));
    if (key === this.#written) return;
    this.#written = key;
    if (kept.length === 0) return removeFile(this.#file);
    writePrivateFile(ensurePrivateDirectory(this.#home, this.#segments), this.#name, { chats: kept });
  }

  /** The last word: conversations that end from now on end because the window does. */
  close(chats: readonly KeptChat[]): void {
    this.#written = '';
    if (this.#taken) this.save(chats); // else what is there was never shown, and stays for the next one
    this.#closed = true;
  }

  /** Of folders that nobody opened again. */
  #forgetOld(youngest: number): void {
    const all = join(this.#home, 'chats');
    for (const place of names(all)) {
      for (const name of names(join(all, place))) {
        const file = join(all, place, name);
        if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? youngest) < youngest) removeFile(file);
      }
      if (names(join(all, place)).length === 0) removeDirectory(join(all, place));
    }
  }

  #files(): readonly string[] {
    const directory = join(this.#home, ...this.#segments);
    const { owner, lives } = this.#place;
    return names(directory)
      .filter((name) => name.endsWith('.json') && (name === `${owner}.json` || !lives?.(name.slice(0, -5))))
      .map((name) => join(directory, name));
  }

  get #segments(): string[] {
    return ['chats', createHash('sha256').update(this.#place.where).digest('hex').slice(0, 32)];
  }

  get #name(): string {
    return `${this.#place.owner}.json`;
  }

  get #file(): string {
    return join(this.#home, ...this.#segments, this.#name);
  }
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // nothing was ever kept
  }
}

function removeDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // somebody has just kept something there
  }
}
