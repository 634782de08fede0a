// What a conversation with a daemon costs over reading its event stream by hand.
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { applyAll, EMPTY } from '../../packages/chat/src/conversation.ts';
import { DaemonIdeConnection } from '../../packages/chat/src/daemon/connection.ts';
import { fixedTarget } from '../../packages/chat/src/daemon/own-daemon.ts';
import type { ChatEvent } from '../../packages/chat/src/events.ts';
import type { Bundles } from '../bundles.ts';
import { NOISE, type Row } from '../rows.ts';
import { interleave, median } from '../stats.ts';

const FLOOD = 20_000;
const LONG_HISTORY = 10_000;

export async function chat(_bundles: Bundles, quick: boolean): Promise<Row[]> {
  const stream = new Stream();
  await stream.listen();
  const connection = new DaemonIdeConnection({ target: fixedTarget({ url: stream.url, token: 'x' }), cwd: '/' });
  let heard: (event: ChatEvent) => void = () => {};
  connection.subscribe((event) => heard(event));
  await connection.start();
  await connection.newSession();
  const raw = await rawReader(stream.url);
  await stream.both();
  try {
    const hear = (): Promise<void> =>
      new Promise((resolve) => {
        heard = (event) => event.type === 'message' && resolve();
      });
    const first = await firstToken(stream, hear, raw, quick ? 300 : 2000);
    const flood = await floods(
      stream,
      raw,
      (each) => {
        heard = each;
      },
      quick ? 5 : 15,
    );
    return [first, ...flood, memory()];
  } finally {
    await connection.stop();
    raw.close();
    stream.close();
  }
}

/** From the frame's last byte written to the event in the panel's hands, in the same process. */
async function firstToken(stream: Stream, hear: () => Promise<void>, raw: Raw, rounds: number): Promise<Row> {
  const times: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] };
  const measure = async (who: 'ours' | 'floor', wait: () => Promise<void>) => {
    const done = wait();
    const since = performance.now();
    stream.say(who, 'a token ');
    await done;
    times[who].push((performance.now() - since) * 1000);
  };
  await interleave(
    rounds,
    () => measure('ours', hear),
    () => measure('floor', () => raw.next()),
  );
  return {
    id: 'chat-first-token',
    measure: 'chat: one token from the daemon to the panel, p50',
    unit: 'µs',
    ours: median(times.ours),
    floor: median(times.floor),
    bar: { of: 'floor', max: 2, tolerance: NOISE.time },
    samples: rounds,
    note: 'floor: the same stream read by hand, cut at blank lines and parsed as JSON',
  };
}

/** Many events at once, each checked, translated and applied to the conversation. */
async function floods(
  stream: Stream,
  raw: Raw,
  listen: (each: (event: ChatEvent) => void) => void,
  rounds: number,
): Promise<Row[]> {
  const times: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] };
  const ours = async () => {
    let batch: ChatEvent[] = [];
    let conversation = EMPTY;
    let count = 0;
    const done = new Promise<void>((resolve) => {
      listen((event) => {
        if (event.type !== 'message') return;
        count += 1;
        batch.push(event);
        if (batch.length < 200 && count < FLOOD) return; // as a panel does: once a frame, not once a token
        conversation = applyAll(conversation, batch);
        batch = [];
        if (count === FLOOD) resolve();
      });
    });
    const since = performance.now();
    stream.flood('ours', FLOOD);
    await done;
    times.ours.push(performance.now() - since);
  };
  const floor = async () => {
    const done = raw.next(FLOOD);
    const since = performance.now();
    stream.flood('floor', FLOOD);
    await done;
    times.floor.push(performance.now() - since);
  };
  await interleave(rounds, ours, floor);
  const [mine, theirs] = [median(times.ours), median(times.floor)];
  return [
    {
      id: 'chat-flood',
      measure: `chat: ${FLOOD.toLocaleString('en')} events into the conversation`,
      unit: 'ms',
      ours: mine,
      floor: theirs,
      bar: { of: 'floor', max: 4, tolerance: NOISE.time },
      samples: rounds,
      note: `${Math.round(FLOOD / mine)} thousand events a second`,
    },
  ];
}

/** What a long history weighs in the process that keeps it. */
function memory(): Row {
  const events: ChatEvent[] = [];
  for (let index = 0; index < LONG_HISTORY / 2; index += 1) {
    events.push({
      type: 'message',
      role: 'user',
      text: `question ${index} ${'x'.repeat(100)}`,
      promptId: String(index),
    });
    events.push({ type: 'message', role: 'agent', text: `answer ${index} ${'y'.repeat(900)}` });
  }
  const text = events.reduce((sum, event) => sum + (event.type === 'message' ? event.text.length : 0), 0);
  const before = heap();
  const conversation = applyAll(EMPTY, structuredClone(events));
  const after = heap();
  if (conversation.items.length !== LONG_HISTORY) throw new Error('the history is not complete');
  return {
    id: 'chat-memory',
    measure: `chat: a history of ${LONG_HISTORY.toLocaleString('en')} messages`,
    unit: 'MB',
    ours: (after - before) / 1024 / 1024,
    floor: text / 1024 / 1024,
    samples: 1,
    note: 'floor: its text alone',
  };
}

const collect = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** As much of a daemon as a connection needs to listen to it. */
class Stream {
  readonly #server = createServer((req, res) => this.#serve(req, res));
  readonly #listeners = new Map<'ours' | 'floor', ServerResponse>();
  #id = 0;
  #joined: () => void = () => {};

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async both(): Promise<void> {
    while (this.#listeners.size < 2) {
      await new Promise<void>((resolve) => {
        this.#joined = resolve;
      });
    }
  }

  say(to: 'ours' | 'floor', text: string): void {
    this.#listeners.get(to)?.write(this.#frame(text));
  }

  flood(to: 'ours' | 'floor', count: number): void {
    this.#listeners
      .get(to)
      ?.write(Array.from({ length: count }, (_, index) => this.#frame(`token ${index} `)).join(''));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #frame(text: string): string {
    this.#id += 1;
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    const envelope = {
      id: this.#id,
      v: 1,
      type: 'session_update',
      data: { sessionId: 's', update },
      promptId: '6c728456-be4b-40d9-a0a0-b43795cfd004',
      originatorClientId: 'client_a0f05903-af80-491b-9db9-d58b18e17163',
      _meta: { serverTimestamp: 1794723922110 },
    };
    return `id: ${this.#id}\nevent: session_update\ndata: ${JSON.stringify(envelope)}\n\n`;
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const { url = '' } = req;
    if (url.includes('/events')) {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'x-qwen-event-epoch': 'e' });
      res.write('retry: 3000\n\n');
      this.#listeners.set(url.endsWith('?raw') ? 'floor' : 'ours', res);
      return this.#joined();
    }
    const session = { sessionId: 's', workspaceCwd: '/', clientId: 'c' };
    const features = ['session_create', 'session_load', 'session_prompt', 'session_events', 'session_cancel'];
    const capabilities = { v: 1, protocolVersions: { current: 'v1', supported: ['v1'] }, features, workspaceCwd: '/' };
    const body = url === '/capabilities' ? capabilities : url === '/session' ? session : { state: {} };
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  }
}

interface Raw {
  /** Resolves when so many more frames were parsed. */
  next(count?: number): Promise<void>;
  close(): void;
}

/** The least that can be done with an event stream. */
async function rawReader(url: string): Promise<Raw> {
  let rest = '';
  let wanted = 0;
  let done: () => void = () => {};
  const response = await new Promise<IncomingMessage>((resolve) => get(`${url}/session/s/events?raw`, resolve));
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const at = frame.indexOf('data: ');
      if (at < 0) continue;
      JSON.parse(frame.slice(at + 6));
      wanted -= 1;
      if (wanted === 0) done();
    }
  });
  return {
    next: (count = 1) =>
      new Promise((resolve) => {
        wanted = count;
        done = resolve;
      }),
    close: () => response.destroy(),
  };
}
