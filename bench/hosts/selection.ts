// Selection to wire: ours, the reference and the floors with one link each, all in this process and in turn.
import { type Client, HttpClient, SocketClient } from '../clients.ts';
import { interleave, sleep } from '../stats.ts';
import { type Launch, MARK, type Subject, selectionText, type World } from '../subject.ts';

interface Task {
  readonly modules: {
    readonly tandem: string;
    readonly reference: string;
    readonly floorHttp: string;
    readonly floorWs: string;
  };
  readonly worlds: readonly [World, World, World];
  readonly files: readonly (readonly string[])[];
  readonly rounds: number;
}

/** Longer than the debounce is quiet, so that every sample is a first event. */
const QUIET_MS = 65;
const WARM_UP = 10;

const task = JSON.parse(process.argv[2] ?? '') as Task;
const series: Record<string, number[]> = {};

class Course {
  readonly #name: string;
  readonly #subject: Subject;
  readonly #client: Client;
  newest = '';

  constructor(name: string, subject: Subject, client: Client) {
    this.#name = name;
    this.#subject = subject;
    this.#client = client;
  }

  /** From the call to the bytes at the other end; also how much of it passes before this thread waits for the wire. */
  run(text: string, recorded: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#client.onbytes = (bytes) => {
        const total = performance.now() - begun;
        if (!bytes.includes(MARK)) return;
        this.newest = bytes;
        this.#client.onbytes = () => {};
        if (recorded) {
          record(this.#name, total);
          record(`${this.#name} work`, worked);
        }
        resolve();
      };
      let worked = 0;
      const begun = performance.now();
      this.#subject.select(text);
      // Comes after every microtask, since this runs in one.
      process.nextTick(() => {
        worked = performance.now() - begun;
      });
    });
  }
}

const start = async (module: string, world: World, files: readonly string[] = []) => {
  const { launch } = (await import(module)) as { launch: Launch };
  const subject = await launch(world);
  await subject.open(files);
  return subject;
};
const [first, second, third] = task.worlds;
const ours = await start(task.modules.tandem, first, task.files[0]);
const oursToo = await start(task.modules.tandem, second, task.files[1]);
const reference = await start(task.modules.reference, third, task.files[2]);
const floorHttp = await start(task.modules.floorHttp, third);
const floorWs = await start(task.modules.floorWs, third);
const http = await connected('ours http', ours, new HttpClient(ours.port, ours.tokens.http));
const socket = await connected('ours ws', oursToo, new SocketClient(oursToo.port, oursToo.tokens.socket ?? ''));
const official = await connected('reference http', reference, new HttpClient(reference.port, reference.tokens.http));
const bareHttp = await connected('floor http', floorHttp, new HttpClient(floorHttp.port, ''));
const client = new SocketClient(floorWs.port, '');
await client.opened();
const bareSocket = new Course('floor ws', floorWs, client);

let count = 0;
const turn = (course: Course, text: (round: number) => string) => async (round: number) => {
  await sleep(QUIET_MS / 4); // four others lie between two turns of the same one
  count += 1;
  await course.run(text(round), round >= WARM_UP);
};
const fresh = () => selectionText(count);
await interleave(
  task.rounds + WARM_UP,
  turn(http, fresh),
  // The floors write the very bytes that ours has just sent.
  turn(bareHttp, () => http.newest),
  turn(official, fresh),
  turn(socket, fresh),
  turn(bareSocket, () => socket.newest),
);
process.send?.({ selection: series }, () => process.exit());

async function connected(name: string, subject: Subject, client: Client): Promise<Course> {
  await client.connect();
  await sleep(QUIET_MS);
  return new Course(name, subject, client);
}

function record(name: string, value: number): void {
  series[name] ??= [];
  series[name].push(value);
}
