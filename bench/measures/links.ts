import { type Started, startHost } from '../children.ts';
import { type Client, HttpClient, SocketClient } from '../clients.ts';
import { MARK, type World } from '../subject.ts';
import { sourceFiles } from '../worlds.ts';

/** A host process with a number of agents on it, every second one on a WebSocket where the subject has one. */
export class Gathering {
  readonly host: Started;
  readonly clients: readonly Client[];
  /** The newest update each of them has heard of. */
  readonly newest: number[];
  #waiting: { update: number; resolve: () => void } | undefined;

  private constructor(host: Started, clients: readonly Client[]) {
    this.host = host;
    this.clients = clients;
    this.newest = clients.map(() => 0);
    for (const [index, client] of clients.entries()) this.#follow(index, client);
  }

  static async of(
    count: number,
    host: string,
    subject: string,
    world: World,
    flags: string[] = [],
  ): Promise<Gathering> {
    const started = await startHost(host, subject, world, flags);
    const opened = started.child.hear('opened');
    started.child.tell('open', sourceFiles(world));
    await opened;
    const { port, tokens } = started;
    const clients = Array.from({ length: count }, (_, index) =>
      index % 2 === 1 && tokens.socket !== undefined
        ? new SocketClient(port, tokens.socket)
        : new HttpClient(port, tokens.http),
    );
    await Promise.all(clients.map((client) => client.connect()));
    return new Gathering(started, clients);
  }

  /** Until everyone has heard of the update. */
  async all(update: number, ms = 20_000): Promise<boolean> {
    if (this.newest.every((each) => each >= update)) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const there = new Promise<boolean>((resolve) => {
      this.#waiting = { update, resolve: () => resolve(true) };
    });
    const result = await Promise.race([there, late]);
    clearTimeout(timer);
    return result;
  }

  /** CPU of the server for each update, all links together, in milliseconds. */
  async broadcast(from: number, count: number, batch = 20): Promise<number> {
    const { child } = this.host;
    const done = child.hear('broadcast');
    child.tell('broadcast', { from, count, batch });
    for (let sent = from + batch; sent <= from + count; sent += batch) {
      await child.hear('sent');
      if (!(await this.all(sent))) throw new Error(`update ${sent} did not reach everybody`);
      child.tell('seen', sent);
    }
    return (await done).cpuMs / count;
  }

  /** How many links hold this text as the last thing they were told. */
  holding(text: string): number {
    return this.clients.filter((client) =>
      JSON.stringify(client.last ?? '').includes(JSON.stringify(text).slice(1, -1)),
    ).length;
  }

  async end(): Promise<void> {
    for (const client of this.clients) client.drop();
    await this.host.child.end();
  }

  #follow(index: number, client: Client): void {
    let rest = '';
    client.onbytes = (bytes) => {
      const text = rest + bytes;
      rest = text.slice(-32);
      const at = text.lastIndexOf(MARK);
      const update = at < 0 ? Number.NaN : Number(text.slice(at + MARK.length, at + MARK.length + 6));
      if (!(update > (this.newest[index] ?? 0))) return;
      this.newest[index] = update;
      const waiting = this.#waiting;
      if (!waiting || !this.newest.every((each) => each >= waiting.update)) return;
      this.#waiting = undefined;
      waiting.resolve();
    };
  }
}
