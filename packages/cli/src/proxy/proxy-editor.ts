import type { ClaudeLink } from '@tandem/client';
import {
  type Abilities,
  type Editor,
  type EditorHost,
  type EditorInfo,
  languageOf,
  type Notice,
  type OpenedFile,
  type OpenFileRequest,
  type Review,
  requireTextFile,
} from '@tandem/core';
import type { PathMap } from './path-map.ts';
import { patternAt } from './pattern.ts';
import { ProxyReviews } from './reviews.ts';
import { Watch } from './watch.ts';

export interface ProxyOptions {
  readonly info: EditorInfo;
  /** Local names. */
  readonly folders: readonly string[];
  readonly paths: PathMap;
  readonly tell: (notice: Notice) => void;
}

/** Another's companion as an editor: what it announced is what this editor can. */
export class ProxyEditor implements Editor {
  readonly info: EditorInfo;
  readonly can: Abilities;
  readonly #link: ClaudeLink;
  readonly #options: ProxyOptions;
  readonly #reviews: ProxyReviews;
  #watch: Watch | undefined;

  constructor(link: ClaudeLink, options: ProxyOptions) {
    this.info = options.info;
    const { diff, diagnostics, openFile, save } = link.can;
    // Its kernel, if it has one, stays its own: code runs where its editor is, and that may be another machine.
    this.can = { review: diff, diagnostics, openFile, save, executeCode: false };
    this.#link = link;
    this.#options = options;
    this.#reviews = new ProxyReviews(link, options.paths, options.tell);
  }

  start(host: EditorHost): void {
    host.apply({ type: 'folders', folders: this.#options.folders });
    this.#reviews.start(host);
    this.#watch = new Watch(this.#link, this.#options.paths, this.#options.folders, host);
  }

  async stop(): Promise<void> {
    this.#watch?.stop();
    await this.#link.close();
  }

  /** The dialect does not carry the text of a buffer. */
  unsavedText(): undefined {
    return undefined;
  }

  async openFile({ path, selection, preview, focus }: OpenFileRequest): Promise<OpenedFile> {
    if (!this.can.openFile) throw new Error(`${this.info.displayName} cannot be asked to open files`);
    const text = await requireTextFile(path);
    const pattern = selection ? patternAt(text, selection) : {};
    await this.#link.openFile({ path: this.#options.paths.toRemote(path), preview, focus, ...pattern });
    this.#watch?.opened(path);
    return { path, language: languageOf(path), lineCount: text.split('\n').length };
  }

  save(path: string): Promise<boolean> {
    return this.#link.save(this.#options.paths.toRemote(path));
  }

  showReview(review: Review): void {
    this.#reviews.show(review);
  }

  updateReview(review: Review): void {
    this.#reviews.update(review);
  }

  closeReview(review: Review): void {
    this.#reviews.close(review);
  }

  tell(notice: Notice): void {
    this.#options.tell(notice);
  }
}
