import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcpConnection } from '../src/acp/connection.ts';
import { connectTo } from '../src/connect.ts';
import { DaemonIdeConnection } from '../src/daemon/connection.ts';
import { resolveDaemon } from '../src/daemon/settings.ts';

const url = 'http://127.0.0.1:4170';

test('[DMN-1] the daemon is off unless the setting or the environment says so', () => {
  assert.deepEqual(resolveDaemon({}, {}), { use: 'acp' });
  assert.deepEqual(resolveDaemon({ url, token: 't' }, {}), { use: 'acp' }, 'an address alone does not switch it on');
  assert.deepEqual(resolveDaemon({ enabled: false, url }, { QWEN_IDE_DAEMON_URL: ' ' }), { use: 'acp' });
  assert.deepEqual(resolveDaemon({ enabled: true, url, token: 't' }, {}), { use: 'daemon', url, token: 't' });
  assert.deepEqual(resolveDaemon({}, { QWEN_IDE_DAEMON_URL: url }), { use: 'daemon', url, token: undefined });
  assert.deepEqual(resolveDaemon({ enabled: true }, {}), { use: 'own daemon' });
});

test("[DMN-1] the environment's address and the secret storage's token go first", () => {
  const env = { QWEN_IDE_DAEMON_URL: 'http://localhost:5000', QWEN_SERVER_TOKEN: 'from-env' };
  const settings = { enabled: true, url, token: 'from-setting' };
  assert.deepEqual(resolveDaemon(settings, env, 'from-storage'), {
    use: 'daemon',
    url: 'http://localhost:5000',
    token: 'from-storage',
  });
  assert.deepEqual(resolveDaemon({ enabled: true, url, token: ' ' }, { QWEN_SERVER_TOKEN: 'e' }), {
    use: 'daemon',
    url,
    token: 'e',
  });
});

test('[DMN-1] an address that would give the token away is refused, without repeating it', () => {
  for (const bad of ['nonsense', 'file:///x', 'http://user:secret@127.0.0.1:1', 'http://example.com:4170']) {
    const choice = resolveDaemon({ enabled: true, url: bad }, {});
    assert.equal(choice.use, 'refused', bad);
    assert.equal(choice.use === 'refused' && choice.reason.includes(bad), false);
  }
  for (const good of ['https://example.com', 'http://localhost:1', 'http://[::1]:4170']) {
    assert.equal(resolveDaemon({ enabled: true, url: good }, {}).use, 'daemon', good);
  }
});

test('[DMN-7] the child process is the default, the daemon its sibling, and only for Qwen', () => {
  const cwd = '/w';
  const daemon = { enabled: true, url };
  assert.ok(connectTo('qwen', { cwd, env: {} }) instanceof AcpConnection);
  assert.ok(connectTo('qwen', { cwd, env: {}, settings: daemon }) instanceof DaemonIdeConnection);
  assert.ok(connectTo('gemini', { cwd, env: {}, settings: daemon }) instanceof AcpConnection);
  const mine = { id: 'mine', name: 'Mine', command: '/bin/mine', args: ['acp'] };
  assert.equal(connectTo(mine, { cwd, env: {} }).agent.name, 'Mine');
  assert.throws(() => connectTo('nobody', { cwd }), /no agent is called nobody/);
});
