import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NOTIFICATIONS as CLAUDE } from '../packages/core/src/dialects/claude/schema.ts';
import { NOTIFICATIONS as IDE_MCP } from '../packages/core/src/dialects/ide-mcp/schema.ts';
import { MemoryEditor } from '../packages/core/src/index.ts';
import { HttpAgent, type Message } from './support/http-agent.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until } from './support/world.ts';

/**
 * What the real programs said, said again word for word; what the companion answered then, it must answer now. The
 * editor's part (which file is active) is not in the recording, so what it was told of its own accord is only checked
 * against its schema.
 */
const CAPTURES = join(import.meta.dirname, 'captures');
const SCHEMAS: Readonly<Record<string, { parse(value: unknown): unknown }>> = { ...CLAUDE, ...IDE_MCP };

interface Line {
  readonly dialect: string;
  readonly dir: 'in' | 'out';
  readonly message: Message;
}

/** An agent that sends what it is given and keeps what it gets. */
interface Replayer {
  send(message: Message): Promise<void> | void;
  readonly received: readonly Message[];
  close(): void;
}

for (const name of readdirSync(CAPTURES)) {
  test(`[GEM-4] [QWEN-4] [CLA-1] ${name}: the recorded conversation is answered as it was`, async (t) => {
    const world = createWorld(t);
    const text = readFileSync(join(CAPTURES, name, 'session.jsonl'), 'utf8').replaceAll('<workspace>', world.workspace);
    const lines: Line[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const path of openedPaths(lines))
      if (!path.endsWith('created.txt')) world.file(path.slice(world.workspace.length), 'old\n');
    // The abilities of the terminal, which was the editor when it was recorded.
    const can = { diagnostics: false, save: false, executeCode: false };
    const editor = new MemoryEditor({ folders: [world.workspace], can });
    const running = await startCompanion(t, { world, editor });
    const agent = await replayer(running, lines[0]?.dialect ?? '');
    t.after(() => agent.close());
    let checked = 0;
    for (const [at, { dir, message }] of lines.entries()) {
      if (dir === 'in') {
        await agent.send(message);
        await until(
          'the proposal is on the desk',
          () => !proposes(message) || running.companion.desk.reviews.length > 0,
        );
      } else if (message.method && message.method in SCHEMAS && !isDecision(message)) {
        SCHEMAS[message.method]?.parse(message.params);
      } else {
        decideAs(running, message);
        const answer = await until(`line ${at + 1}`, () => agent.received.find((each) => matches(each, message)));
        assert.deepEqual(answer, message, `line ${at + 1}`);
        checked += 1;
      }
    }
    assert.ok(checked >= 10, `${checked} answers`);
  });
}

async function replayer(running: Running, dialect: string): Promise<Replayer> {
  const { port } = running.companion;
  if (dialect === 'claude') {
    const agent = new SocketAgent(port, running.token('claude'));
    await agent.opened;
    return {
      send: (message) => agent.socket.send(JSON.stringify(message)),
      received: agent.received,
      close: () => agent.socket.terminate(),
    };
  }
  const agent = new HttpAgent(port, running.token(dialect));
  return {
    send: async (message) => {
      const reply = await agent.post(message);
      if (message.method === 'initialize') agent.session = reply.headers['mcp-session-id'] as string;
      if (message.method === 'notifications/initialized') await agent.openStream();
      if (reply.json) agent.received.push(reply.json);
    },
    received: agent.received,
    close: () => agent.drop(),
  };
}

function openedPaths(lines: readonly Line[]): string[] {
  return lines.filter(({ message }) => proposes(message)).map(({ message }) => pathOf(message));
}

function proposes(message: Message): boolean {
  return message.method === 'tools/call' && message.params.name === 'openDiff';
}

function pathOf(message: Message): string {
  return message.params.arguments.filePath ?? message.params.arguments.new_file_path;
}

function isDecision(message: Message): boolean {
  return message.method === 'ide/diffAccepted' || message.method === 'ide/diffRejected';
}

function matches(received: Message, recorded: Message): boolean {
  return recorded.id === undefined
    ? received.method === recorded.method && received.params?.filePath === recorded.params?.filePath
    : received.id === recorded.id;
}

/** The user says now what the recording says they said. */
function decideAs(running: Running, message: Message): void {
  const [review] = running.companion.desk.reviews;
  if (!review) return;
  const [verdict, saved] = message.result?.content ?? [];
  if (message.method === 'ide/diffAccepted') running.editor.accept(review.id, message.params.content);
  else if (message.method === 'ide/diffRejected' || verdict?.text === 'DIFF_REJECTED') running.editor.reject(review.id);
  else if (verdict?.text === 'FILE_SAVED') {
    // For a new file the answer holds one newline more than the user's text.
    const extra = review.path.endsWith('created.txt') ? 1 : 0;
    running.editor.accept(review.id, saved.text.slice(0, saved.text.length - extra));
  }
}
