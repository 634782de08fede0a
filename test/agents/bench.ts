// A world whose editor is the workbench's page in a real browser.
import assert from 'node:assert/strict';
import { SERVER_PATH } from '../browser/support/install-language-servers.ts';
import type { Companion } from './companion.ts';
import { WorkbenchPage } from './page.ts';
import { World } from './world.ts';

export class Bench extends World {
  protected override readonly serving = 'workbench';
  #page: WorkbenchPage | undefined;

  get page(): WorkbenchPage {
    if (this.#page === undefined) throw new Error('no page is open');
    return this.#page;
  }

  /** The page is opened once, with the printed address; after a restart it has to come back by itself. */
  override async startCompanion(env: Record<string, string> = {}): Promise<Companion> {
    const path = [...SERVER_PATH, this.sandbox.env.PATH].join(':');
    const companion = await super.startCompanion({ PATH: path, ...env });
    this.#page ??= await WorkbenchPage.open(this.sandbox, companion.url);
    return companion;
  }

  override async evidence(): Promise<string> {
    const page = await this.#page?.evidence().catch((error: Error) => `no page: ${error.message}`);
    return `${page ?? ''}\n${await super.evidence()}`;
  }

  /** The page goes first: a companion that stops under an open page leaves a note for a successor. */
  override async end(): Promise<void> {
    assert.deepEqual(this.page.faults, []);
    await this.page.close();
    await super.end();
  }

  override async discard(): Promise<void> {
    await this.#page?.close().catch(() => undefined);
    await super.discard();
  }
}
