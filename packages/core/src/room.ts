import type { Dialect, DialectServer, Listener, Publication } from './dialects/port.ts';
import type { Mark } from './discovery/mark.ts';
import { Publisher } from './discovery/publisher.ts';
import type { House } from './house.ts';
import type { Entrance } from './transport/front.ts';

/** One dialect in the house: its token, its files, and its server once somebody has knocked. */
export class Room {
  readonly dialect: Dialect;
  readonly token: string;
  /** Why it is not published. */
  error: string | undefined;
  readonly #house: House;
  #server: Promise<DialectServer> | undefined;
  #publisher: Publisher | undefined;
  #listener: Listener | undefined;

  constructor(dialect: Dialect, token: string, house: House) {
    this.dialect = dialect;
    this.token = token;
    this.#house = house;
  }

  get files(): readonly string[] {
    return this.#publisher?.paths ?? [];
  }

  /** Its way in on the shared port, if it has one. */
  get entrances(): Entrance[] {
    const { door } = this.dialect;
    if (!door) return [];
    return [
      {
        ...door,
        name: this.dialect.id,
        secret: this.token,
        request: async (request, response) => (await this.#load()).request?.(request, response),
        upgrade: async (request, socket, head) => (await this.#load()).upgrade?.(request, socket, head),
      },
    ];
  }

  /** A dialect whose place is unsafe or full is out; the others go on. */
  async open(publication: Publication, mark: Mark): Promise<void> {
    this.#publisher = new Publisher(mark);
    try {
      this.#listener = await this.dialect.listen?.(this.#house, publication);
      this.#publisher.publish(this.dialect.files(publication));
    } catch (error) {
      await this.#listener?.close();
      this.#fail(error as Error);
    }
  }

  /** Clears away what dead companions left beside our files. */
  async sweep(): Promise<void> {
    await this.#publisher?.sweep();
  }

  /** The folders changed. */
  republish(publication: Publication): void {
    if (this.error !== undefined) return;
    try {
      this.#publisher?.publish(this.dialect.files(publication));
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** The window has the focus. */
  touch(): void {
    try {
      this.#publisher?.touch();
    } catch (error) {
      this.#house.log('warn', `${this.dialect.agent}: ${(error as Error).message}`);
    }
  }

  withdraw(): void {
    this.#publisher?.withdraw();
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    const server = await this.#server?.catch(() => undefined);
    await server?.close();
  }

  #load(): Promise<DialectServer> {
    this.#server ??= this.dialect.load(this.#house).catch((error) => {
      this.#server = undefined; // the next knock tries again
      throw error;
    });
    return this.#server;
  }

  #fail(error: Error): void {
    this.error = error.message;
    this.#house.log('warn', `${this.dialect.agent} is not published: ${error.message}`);
  }
}
