import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkDirectory } from '../packages/core/src/discovery/safe-files.ts';
import { checkHost, checkOrigin, sameToken } from '../packages/core/src/transport/checks.ts';

const PORT = 4711;

test('[ALL-3] the loopback names with our port are served', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST', 'LocalHost']) {
    assert.deepEqual(checkHost({ host: `${host}:${PORT}` }, PORT), { ok: true }, host);
  }
});

test('[ALL-3] any other name, port or spelling in Host is refused with 403', () => {
  const hosts = [
    undefined,
    '',
    'localhost',
    '127.0.0.1',
    '[::1]',
    `:${PORT}`,
    `127.0.0.1:${PORT + 1}`,
    `127.0.0.1:0${PORT}`,
    `127.0.0.1:${PORT}0`,
    `127.0.0.1:${PORT} `,
    ` 127.0.0.1:${PORT}`,
    `127.0.0.2:${PORT}`,
    `0.0.0.0:${PORT}`,
    `2130706433:${PORT}`,
    `::1:${PORT}`,
    `localhost.:${PORT}`,
    `localhost.evil.com:${PORT}`,
    `evil-localhost:${PORT}`,
    `evil.com:${PORT}`,
    `evil.com:${PORT}@127.0.0.1:${PORT}`,
    `127.0.0.1:${PORT}, evil.com`,
    `host.docker.internal:${PORT}`,
  ];
  for (const host of hosts) {
    const check = checkHost(host === undefined ? {} : { host }, PORT);
    assert.ok(!check.ok, String(host));
    assert.equal(check.status, 403, String(host));
    assert.ok(check.why.length > 0);
  }
});

test('[ALL-3] no made-up Host passes but the three names', () => {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${PORT}`));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webAuthority(),
        fc.domain().map((name) => `${name}:${PORT}`),
      ),
      (host) => {
        assert.equal(checkHost({ host }, PORT).ok, names.has(host.toLowerCase()));
      },
    ),
  );
});

test('[ALL-3] a name for containers is served only where the user opted in, however it is spelled', () => {
  const host = `host.docker.internal:${PORT}`;
  assert.equal(checkHost({ host }, PORT).ok, false);
  assert.equal(checkHost({ host }, PORT, ['host.docker.internal']).ok, true);
  assert.equal(checkHost({ host }, PORT, ['Host.Docker.Internal']).ok, true);
  assert.equal(checkHost({ host: `other.internal:${PORT}` }, PORT, ['host.docker.internal']).ok, false);
});

test('[ALL-3] whatever stands in Origin, its presence is refused with 403', () => {
  for (const origin of [
    '',
    'null',
    'http://localhost',
    `http://127.0.0.1:${PORT}`,
    'vscode-webview://x',
    'https://evil.com',
  ]) {
    const check = checkOrigin({ origin });
    assert.ok(!check.ok, origin);
    assert.equal(check.status, 403);
  }
  assert.deepEqual(checkOrigin({}), { ok: true });
});

test('[ALL-2] a token is equal to itself and to nothing else', () => {
  const token = 'a3'.repeat(32);
  assert.equal(sameToken(token, token), true);
  for (const other of [
    undefined,
    '',
    token.slice(1),
    `${token}0`,
    token.toUpperCase(),
    `${token} `,
    token.replace('a', 'b'),
  ]) {
    assert.equal(sameToken(other, token), false, String(other));
  }
  fc.assert(
    fc.property(fc.string(), fc.string(), (given, expected) => sameToken(given, expected) === (given === expected)),
  );
});

test('[ALL-2] no token given is no token, even where the secret is empty', () => {
  assert.equal(sameToken(undefined, ''), false);
});

const folder = (over: { link?: boolean; file?: boolean; uid?: number; mode?: number }) => ({
  isSymbolicLink: () => over.link ?? false,
  isDirectory: () => !(over.link || over.file),
  uid: over.uid ?? 1000,
  mode: 0o040000 | (over.mode ?? 0o700),
});

test('[ALL-4] a folder of ours that nobody else can write in is taken, and made private if others can read it', () => {
  assert.deepEqual(checkDirectory(folder({}), 1000), { ok: true, tighten: false });
  for (const mode of [0o755, 0o750, 0o711, 0o701, 0o740]) {
    assert.deepEqual(checkDirectory(folder({ mode }), 1000), { ok: true, tighten: true }, mode.toString(8));
  }
});

test('[ALL-4] a symlink, a file, a folder of another user and one that others can write in are refused, with the reason', () => {
  const refused: [Parameters<typeof folder>[0], RegExp][] = [
    [{ link: true }, /symbolic link/],
    [{ file: true }, /not a folder/],
    [{ uid: 1001 }, /another user.*1001/],
    [{ uid: 0 }, /another user.*0/],
    [{ mode: 0o777 }, /others may write.*chmod 700/],
    [{ mode: 0o1777 }, /others may write/],
    [{ mode: 0o770 }, /others may write/],
    [{ mode: 0o720 }, /others may write/],
    [{ mode: 0o702 }, /others may write/],
  ];
  for (const [over, why] of refused) {
    const check = checkDirectory(folder(over), 1000);
    assert.ok(!check.ok, JSON.stringify(over));
    assert.match(check.why, why);
  }
});

test('[ALL-4] no mode with a write bit for others passes, whatever else is set', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0o7777 }), fc.boolean(), (mode, ours) => {
      const check = checkDirectory(folder({ mode, uid: ours ? 1000 : 1001 }), 1000);
      assert.equal(check.ok, ours && (mode & 0o022) === 0);
    }),
  );
});
