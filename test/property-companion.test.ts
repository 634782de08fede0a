import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type Control, controlOf } from './support/control.ts';
import { HttpAgent } from './support/http-agent.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until, type World } from './support/world.ts';

/**
 * Three agents with real links on one companion, in any order of proposals, decisions (editor, command line and
 * terminal at once), disconnects and restarts. What each agent hears is compared with what was decided first.
 */

type Kind = 'gemini' | 'qwen' | 'claude';
const KINDS: readonly Kind[] = ['gemini', 'qwen', 'claude'];
type Voice = 'editor accepts' | 'editor rejects' | 'command line accepts' | 'command line rejects' | 'terminal answers';
const VOICES: readonly Voice[] = [
  'editor accepts',
  'editor rejects',
  'command line accepts',
  'command line rejects',
  'terminal answers',
];

type Step =
  | { readonly do: 'propose'; readonly kind: Kind; readonly file: number }
  | { readonly do: 'decide'; readonly pick: number; readonly voices: readonly Voice[] }
  | { readonly do: 'amend'; readonly pick: number }
  | { readonly do: 'drop' | 'reconnect'; readonly kind: Kind }
  | { readonly do: 'restart' };

/** What an agent was told about one of its proposals. */
interface Heard {
  readonly what: 'accepted' | 'rejected' | 'failed';
  readonly text?: string;
}

/** An agent of any dialect, seen from the outside of its wire. */
interface Agent {
  propose(path: string, text: string): Promise<void>;
  /** The person answers in the agent's own terminal. */
  answerInTerminal(path: string): Promise<void>;
  /** Everything it was told about a path since it connected first, in order. */
  heard(path: string): Heard[];
  drop(): void;
}

class OverHttp implements Agent {
  readonly http: HttpAgent;
  constructor(http: HttpAgent) {
    this.http = http;
  }
  async propose(filePath: string, newContent: string): Promise<void> {
    const answer = await this.http.call('openDiff', { filePath, newContent });
    assert.deepEqual(answer.result.content, []);
  }
  async answerInTerminal(filePath: string): Promise<void> {
    await this.http.call('closeDiff', { filePath });
  }
  heard(path: string): Heard[] {
    return this.http.received.flatMap((message): Heard[] => {
      if (message.params?.filePath !== path) return [];
      if (message.method === 'ide/diffAccepted') return [{ what: 'accepted', text: message.params.content }];
      return message.method === 'ide/diffRejected' ? [{ what: 'rejected' }] : [];
    });
  }
  drop(): void {
    this.http.drop();
  }
}

class OverSocket implements Agent {
  readonly socket: SocketAgent;
  readonly #asked: { path: string; id: number }[] = [];
  constructor(socket: SocketAgent) {
    this.socket = socket;
  }
  ask(path: string, text: string): void {
    const id = this.socket.ask('tools/call', {
      name: 'openDiff',
      arguments: { old_file_path: path, new_file_path: path, new_file_contents: text, tab_name: path },
    });
    this.#asked.push({ path, id });
  }
  async propose(path: string, text: string): Promise<void> {
    this.ask(path, text);
    await this.socket.request('ping'); // by then it has been taken in
  }
  async answerInTerminal(path: string): Promise<void> {
    await this.socket.call('close_tab', { tab_name: path });
  }
  heard(path: string): Heard[] {
    return this.#asked.flatMap((each): Heard[] => {
      const answers = this.socket.received.filter((message) => each.path === path && message.id === each.id);
      return answers.map((answer): Heard => {
        if (answer.error || answer.result.isError) return { what: 'failed' };
        const [what, text] = answer.result.content.map((block: { text: string }) => block.text);
        return what === 'FILE_SAVED' ? { what: 'accepted', text } : { what: 'rejected' };
      });
    });
  }
  drop(): void {
    this.socket.socket.terminate();
  }
}

interface Proposal {
  readonly kind: Kind;
  readonly agent: Agent;
  readonly path: string;
  readonly id: string;
  text: string;
  /** Who won, once somebody has spoken. */
  won?: Voice | 'dropped' | 'stopped' | 'replaced';
}

/** One run: the companion, its agents, and what they must have heard. */
class Scene {
  readonly #t: TestContext;
  readonly #world: World;
  readonly #agents = new Map<Kind, Agent>();
  readonly #sessions = new Map<Kind, string>();
  readonly proposals: Proposal[] = [];
  #running: Running;
  #control: Control;
  #count = 0;
  #trusted = false;

  private constructor(t: TestContext, world: World, running: Running) {
    this.#t = t;
    this.#world = world;
    this.#running = running;
    this.#control = controlOf(world.home, running.companion.port);
  }

  static async open(t: TestContext): Promise<Scene> {
    const world = createWorld(t);
    // A path in the workspace that exists, so that Claude does not add the newline it adds for a new file.
    for (let file = 0; file < 3; file += 1) world.file(`f${file}`, 'before');
    const running = await startCompanion(t, { world, limits: { streamGraceMs: 0 } });
    const scene = new Scene(t, world, running);
    for (const kind of KINDS) await scene.#connect(kind);
    return scene;
  }

  async step(step: Step): Promise<void> {
    switch (step.do) {
      case 'propose':
        return this.#propose(step.kind, join(this.#world.workspace, `f${step.file}`));
      case 'decide':
        return this.#decide(step.pick, step.voices);
      case 'amend':
        return this.#amend(step.pick);
      case 'drop':
        return this.#drop(step.kind);
      case 'reconnect':
        if (!this.#agents.has(step.kind)) await this.#connect(step.kind);
        return;
      case 'restart':
        return this.#restart();
    }
  }

  /** Whatever is still open is decided, everybody is heard out, and the books must agree. */
  async close(): Promise<void> {
    for (let index = 0; index < this.proposals.length; index += 1) await this.#decide(index, ['editor accepts']);
    for (const proposal of this.proposals) await this.#told(proposal);
    // A question to each agent: its answer comes after anything that could still have been on its way.
    for (const [kind, agent] of this.#agents) await this.#settled(kind, agent);
    this.#noMoreThanThat();
    assert.deepEqual(this.#running.companion.desk.reviews, []);
    assert.equal(this.#running.editor.shown.size, 0);
    for (const agent of this.#agents.values()) agent.drop();
    await this.#running.companion.stop();
  }

  async #connect(kind: Kind, session?: string): Promise<void> {
    const { companion } = this.#running;
    const { port } = companion;
    const token = this.#running.token(kind);
    const before = companion.links.size;
    if (kind === 'claude') this.#agents.set(kind, new OverSocket(await new SocketAgent(port, token).connect()));
    else {
      const http = new HttpAgent(port, token);
      if (session === undefined) await http.connect();
      else {
        http.session = session; // it does not introduce itself again
        assert.equal(await http.openStream(), 200);
      }
      this.#sessions.set(kind, http.session ?? '');
      this.#agents.set(kind, new OverHttp(http));
    }
    assert.equal(companion.links.size, before + 1);
  }

  async #propose(kind: Kind, path: string): Promise<void> {
    const agent = this.#agents.get(kind);
    if (!agent) return;
    this.#count += 1;
    const text = `proposal ${this.#count}`;
    const { desk } = this.#running.companion;
    const open = this.#open().find((each) => each.agent === agent && each.path === path);
    if (open) open.won = 'replaced';
    await agent.propose(path, text);
    const review = await until('the review', () => desk.reviews.find((each) => each.proposed === text));
    assert.equal(review.agent, kind);
    this.proposals.push({ kind, agent, path, id: review.id, text });
  }

  #open(): Proposal[] {
    return this.proposals.filter((each) => each.won === undefined);
  }

  /** All voices at once; exactly one of them is told that it was the first, if anybody could be. */
  async #decide(pick: number, voices: readonly Voice[]): Promise<void> {
    const proposal = this.proposals[pick % this.proposals.length];
    if (!proposal) return;
    const wasOpen = proposal.won === undefined;
    if (!wasOpen && voices.includes('terminal answers')) return; // a close for a path that may be open anew
    const results = await Promise.all(voices.map((voice) => this.#speak(proposal, voice)));
    const state = this.#running.companion.desk.find(proposal.id);
    if (!wasOpen) {
      assert.ok(!results.includes(true), 'a decision that came too late was taken');
      return;
    }
    const winner = voices.filter((_voice, index) => results[index] === true);
    // The terminal is not told whether it was first; it was if nobody else was.
    assert.ok(winner.length <= 1, `${winner.join(' and ')} were both told that they decided`);
    proposal.won = winner[0] ?? 'terminal answers';
    assert.notEqual(state?.state, 'open');
    assert.equal(state?.decidedBy, proposal.won.replace(/ \w+$/, ''));
    await this.#told(proposal);
  }

  async #speak(proposal: Proposal, voice: Voice): Promise<boolean | undefined> {
    const { editor } = this.#running;
    const { id } = proposal;
    switch (voice) {
      case 'editor accepts':
        return editor.host.decide(id, { kind: 'accept', text: `${proposal.text} by the editor` }).ok;
      case 'editor rejects':
        return editor.host.decide(id, { kind: 'reject' }).ok;
      case 'command line accepts':
        return (await this.#control.ask('review/accept', { id, text: `${proposal.text} by command` })).status === 200;
      case 'command line rejects':
        return (await this.#control.ask('review/reject', { id })).status === 200;
      case 'terminal answers':
        await proposal.agent.answerInTerminal(proposal.path);
        return undefined;
    }
  }

  async #amend(pick: number): Promise<void> {
    const proposal = this.proposals[pick % this.proposals.length];
    if (!proposal) return;
    const text = `${proposal.text}, amended`;
    const outcome = this.#running.editor.host.amend(proposal.id, text);
    assert.equal(outcome.ok, proposal.won === undefined);
    if (outcome.ok) proposal.text = text;
  }

  async #drop(kind: Kind): Promise<void> {
    const agent = this.#agents.get(kind);
    if (!agent) return;
    const { companion } = this.#running;
    const before = companion.links.size;
    agent.drop();
    this.#agents.delete(kind);
    await until('the link to be gone', () => companion.links.size === before - 1);
    for (const proposal of this.#open()) {
      if (proposal.agent !== agent) continue;
      proposal.won = 'dropped';
      assert.equal(companion.desk.find(proposal.id)?.withdrawn, 'agent gone');
    }
  }

  /** Stop and start in the same place: those that were connected come back by themselves. */
  async #restart(): Promise<void> {
    const kinds = [...this.#agents.keys()];
    const { companion } = this.#running;
    const { port } = companion;
    const open = this.#open();
    await companion.stop();
    for (const proposal of open) {
      proposal.won = 'stopped';
      await this.#told(proposal);
    }
    this.#noMoreThanThat();
    for (const agent of this.#agents.values()) agent.drop();
    this.#agents.clear();
    // Ids begin anew with the new desk; the old proposals are history.
    this.proposals.length = 0;
    this.#running = await startCompanion(this.#t, { world: this.#world, limits: { streamGraceMs: 0 } });
    if (kinds.length > 0) assert.equal(this.#running.companion.port, port);
    this.#control = controlOf(this.#world.home, this.#running.companion.port);
    for (const kind of kinds) await this.#connect(kind, this.#sessions.get(kind));
  }

  /** What each agent should have heard about a path, one after the other. */
  #expected(agent: Agent, path: string): Heard[] {
    return this.proposals
      .filter((each) => each.agent === agent && each.path === path)
      .flatMap((each) => expectation(each));
  }

  async #told(proposal: Proposal): Promise<void> {
    const { agent, path } = proposal;
    const expected = this.#expected(agent, path);
    const enough = () => agent.heard(path).length >= expected.length;
    if (proposal.won !== 'dropped') await until(`${proposal.kind} to hear ${JSON.stringify(expected)}`, enough);
  }

  /** Nobody heard more than was decided, or anything else, or in another order. */
  #noMoreThanThat(): void {
    for (const agent of new Set(this.proposals.map((each) => each.agent))) {
      for (const path of new Set(this.proposals.map((each) => each.path))) {
        assert.deepEqual(agent.heard(path), this.#expected(agent, path), path);
      }
    }
  }

  async #settled(kind: Kind, agent: Agent): Promise<void> {
    if (agent instanceof OverSocket) await agent.socket.request('ping');
    else if (agent instanceof OverHttp) {
      const { http } = agent;
      // The stream is in order: after this context nothing older can come.
      const seen = http.contexts.length;
      this.#trusted = !this.#trusted;
      this.#running.editor.host.apply({ type: 'trust', trusted: this.#trusted });
      await until(`a context for ${kind}`, () => http.contexts.length > seen);
    }
  }
}

/** How a decision sounds in the dialect of the agent that asked. */
function expectation({ kind, won, text }: Proposal): Heard[] {
  switch (won) {
    case 'editor accepts':
      return [{ what: 'accepted', text: `${text} by the editor` }];
    case 'command line accepts':
      return [{ what: 'accepted', text: `${text} by command` }];
    case 'editor rejects':
    case 'command line rejects':
    case 'terminal answers':
      return [{ what: 'rejected' }];
    case 'stopped':
      return [{ what: kind === 'claude' ? 'failed' : 'rejected' }];
    case 'replaced':
      return kind === 'claude' ? [{ what: 'rejected' }] : [];
    default:
      return []; // the agent is gone, or nobody has spoken yet
  }
}

const kind = fc.constantFrom(...KINDS);
const pick = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('propose' as const), kind, file: fc.nat({ max: 2 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      pick,
      voices: fc.uniqueArray(fc.constantFrom(...VOICES), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('amend' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), kind }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconnect' as const), kind }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
);

test('[ALL-7] [ALL-8] [ALL-9] three agents, every order of events: no decision is lost, doubled or misdirected', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      const scene = await Scene.open(t);
      for (const each of steps) await scene.step(each);
      await scene.close();
    }),
    { numRuns: 25, interruptAfterTimeLimit: 9_000 },
  );
});

test('[ALL-7] editor, command line and terminal in the same moment: one wins, and the agent hears that one', async (t) => {
  const scene = await Scene.open(t);
  await fc.assert(
    fc.asyncProperty(kind, fc.shuffledSubarray([...VOICES], { minLength: 2 }), async (who, voices) => {
      await scene.step({ do: 'propose', kind: who, file: 0 });
      await scene.step({ do: 'decide', pick: scene.proposals.length - 1, voices });
    }),
    { numRuns: 60, interruptAfterTimeLimit: 5_000 },
  );
  await scene.close();
});

test('[ALL-5] a proposal that arrives while the companion stops is answered too, however near the two are', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 6 }), fc.constantFrom(...KINDS), async (turns, who) => {
      const running = await startCompanion(t);
      const path = running.world.file('a.txt', 'before');
      const { port } = running.companion;
      const token = running.token(who);
      const agent =
        who === 'claude'
          ? new OverSocket(await new SocketAgent(port, token).connect())
          : new OverHttp(await new HttpAgent(port, token).connect());
      // Not waited for: the companion may be gone before the question arrives.
      const proposed =
        agent instanceof OverHttp ? agent.propose(path, 'after').catch(() => {}) : agent.ask(path, 'after');
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await running.companion.stop();
      const gone = () => (agent instanceof OverHttp ? agent.http.streamEnded !== 'no' : agent.socket.closed);
      await until('the goodbye', gone);
      if (running.companion.desk.find('1')) {
        assert.deepEqual(agent.heard(path), [{ what: who === 'claude' ? 'failed' : 'rejected' }]);
      }
      await proposed;
      agent.drop();
    }),
    { numRuns: 30, interruptAfterTimeLimit: 6_000 },
  );
});
