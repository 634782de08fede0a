import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DaemonIdeConnection } from '../src/daemon/connection.ts';
import { fixedTarget } from '../src/daemon/own-daemon.ts';
import { FakeDaemon } from './support/fake-daemon.ts';
import { folder, Talk } from './support/talk.ts';

const features = ['session_create', 'session_load', 'session_prompt', 'session_events', 'session_cancel'];
const restored = { sessionId: 's1', workspaceCwd: '/w', clientId: 'c2', lastEventId: 0, eventEpoch: 'epoch-1' };

async function scene(t: TestContext, more: object = {}) {
  const daemon = await FakeDaemon.start();
  t.after(() => daemon.close());
  const cwd = folder(t);
  const capabilities = { v: 1, protocolVersions: { current: 'v1', supported: ['v1'] }, features, workspaceCwd: cwd };
  daemon.answers.set('/capabilities', [200, { ...capabilities, ...more }]);
  daemon.answers.set('POST /session', [200, { sessionId: 's1', workspaceCwd: cwd, clientId: 'c1' }]);
  daemon.answers.set('POST /session/s1/load', [200, restored]);
  daemon.answers.set('/session/s1/context', [200, { state: {} }]);
  daemon.answers.set('/session/s1/pending-prompts', [200, { pendingPrompts: [] }]);
  daemon.answers.set('/session/s1/status', [200, { sessionId: 's1', workspaceCwd: cwd }]);
  daemon.answers.set('POST /session/s1/detach', [204, undefined]);
  const target = fixedTarget({ url: daemon.url, token: 'a-token-of-ours' });
  const connection = new DaemonIdeConnection({ target, cwd, patience: { firstMs: 5, longestMs: 10, tries: 3 } });
  t.after(() => connection.stop());
  return { daemon, cwd, connection, talk: new Talk(connection) };
}

const chunk = (text: string) => ({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } });

test('[DMN-2] another protocol and a daemon that cannot do enough are told in words', async (t) => {
  const old = await scene(t, { protocolVersions: { current: 'v2', supported: ['v2'] } });
  await assert.rejects(old.connection.start(), /speaks protocol v2; v1 is needed/);
  const poor = await scene(t, { features: ['session_create'] });
  await assert.rejects(poor.connection.start(), /cannot do session_load.*update Qwen Code/);
  assert.equal(poor.talk.conversation.connection.status, 'died');
});

test('[DMN-2] a folder that the daemon has besides its first one is found, also right after its start', async (t) => {
  const { daemon, cwd, connection } = await scene(t, { workspaceCwd: '/somewhere' });
  const known = { v: 1, protocolVersions: { current: 'v1', supported: ['v1'] }, features, workspaceCwd: '/somewhere' };
  await assert.rejects(connection.start(), { code: 'workspace-mismatch' });
  // It knows of it only once its runtime is up; a request to that waits for it.
  assert.ok(daemon.requests.some(({ url }) => url === '/workspace/mcp'));
  daemon.answers.set('/capabilities', [200, { ...known, workspaces: [{ cwd: '/somewhere' }, { cwd }] }]);
  await connection.start();
  assert.equal(connection.state.status, 'connected');
});

test('[DMN-4] [DMN-10] a daemon that comes back as another one: loaded again, with the mode, and told once', async (t) => {
  const { daemon, connection, talk } = await scene(t);
  await connection.start();
  await connection.newSession({ mode: 'plan' });
  daemon.push('session_update', chunk('before'));
  await talk.until(() => talk.said === 'before');
  daemon.epoch = 'epoch-2';
  daemon.answers.set('POST /session/s1/load', [200, { ...restored, eventEpoch: 'epoch-2', lastEventId: 1 }]);
  daemon.dropAll();
  await talk.until(() => talk.events.filter((event) => event.type === 'history' && event.phase === 'end').length === 2);
  const told = talk.events.flatMap((event) =>
    event.type === 'connection' && event.state.status === 'reconnecting' ? [event.state.reason] : [],
  );
  assert.deepEqual(told, ['the daemon began anew']);
  const load = daemon.requests.find(({ url }) => url.endsWith('/load'));
  assert.equal(JSON.stringify(load?.body).includes('"approvalMode":"plan"'), true);
  await talk.until(() => daemon.listeners === 1);
  daemon.push('session_update', chunk('after'));
  await talk.until(() => talk.said === 'after');
});

test('[DMN-10] tries are counted, then the user is asked; reconnect begins anew', async (t) => {
  const { daemon, connection, talk } = await scene(t);
  await connection.start();
  await connection.newSession();
  await talk.until(() => daemon.listeners === 1);
  daemon.cuts = [0, 0, 0, 0];
  daemon.dropAll();
  await talk.until(() => connection.state.status === 'died');
  const attempts = talk.events.flatMap((event) =>
    event.type === 'connection' && event.state.status === 'reconnecting' ? [event.state.attempt] : [],
  );
  assert.deepEqual(attempts, [1, 2]);
  daemon.cuts = [];
  await connection.reconnect();
  await talk.until(() => daemon.listeners === 1);
  daemon.push('session_update', chunk('again'));
  await talk.until(() => talk.said === 'again');
});

test('[DMN-6] a prompt for a session that was loaded anew elsewhere is asked again once', async (t) => {
  const { daemon, connection } = await scene(t);
  await connection.start();
  await connection.newSession();
  let asked = 0;
  daemon.answering = ({ method, url }) => {
    if (`${method} ${url}` !== 'POST /session/s1/prompt') return undefined;
    asked += 1;
    return asked === 1 ? [400, { code: 'invalid_client_id', error: 'unknown client' }] : [202, { promptId: 'p1' }];
  };
  assert.deepEqual(await connection.prompt([{ type: 'text', text: 'x' }]), { promptId: 'p1', queued: false });
  const clients = daemon.requests
    .filter(({ url }) => url.endsWith('/prompt'))
    .map(({ headers }) => headers['x-qwen-client-id']);
  assert.deepEqual(clients, ['c1', 'c2']);
});

test('[DMN-9] what the daemon answers to a model switch is not read, and no error names its address', async (t) => {
  const { daemon, connection, talk } = await scene(t);
  await connection.start();
  await connection.newSession();
  const secret = { _meta: { qwenModelSwitch: { apiKey: 'sk-...4862', baseUrl: 'http://model.invalid' } } };
  daemon.answers.set('POST /session/s1/model', [200, secret]);
  assert.equal(await connection.setModel('m'), undefined);
  daemon.answers.set('POST /session/s1/model', [500, { error: `no ${daemon.url} for a-token-of-ours` }]);
  const error = await connection.setModel('m').then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.equal(error?.message, 'no [daemon] for [daemon]');
  assert.doesNotMatch(JSON.stringify(talk.events), /4862|invalid|a-token-of-ours|127\.0\.0\.1/);
});

test('[DMN-6] [DMN-9] a session that is taken up: what waits is told and can be answered, what was said holds no token', async (t) => {
  const { daemon, connection, talk } = await scene(t);
  const question = { question: 'Which?', header: 'H', options: [{ label: 'A' }], multiSelect: false, answerKey: '0' };
  const options = [
    { optionId: 'go', label: 'Submit', kind: 'allow_once' },
    { optionId: 'no', label: 'Cancel', kind: 'reject_once' },
  ];
  const pending = [{ requestId: 'q1', kind: 'user_question', questions: [question], options }];
  const status = { sessionId: 's1', workspaceCwd: '/w', displayName: 'Named', pendingInteractions: pending };
  daemon.answers.set('/session/s1/status', [200, status]);
  const spoken = { id: 1, v: 1, type: 'session_update', data: chunk('it is a-token-of-ours') };
  daemon.answers.set('POST /session/s1/load', [200, { ...restored, hasActivePrompt: true, compactedReplay: [spoken] }]);
  daemon.answers.set('POST /session/s1/permission/q1', [200, {}]);
  await connection.start();
  await connection.loadSession('s1');
  assert.equal(talk.said, 'it is [secret]');
  assert.equal(talk.conversation.title, 'Named');
  assert.deepEqual(
    talk.conversation.asks.map(({ type, id }) => [type, id]),
    [['question', 'q1']],
  );
  assert.equal(await connection.answerQuestion('q1', { 0: 'A' }), 'counted');
  const vote = daemon.requests.find(({ url }) => url.endsWith('/permission/q1'));
  assert.deepEqual(vote?.body, { outcome: { outcome: 'selected', optionId: 'go' }, answers: { 0: 'A' } });
});
