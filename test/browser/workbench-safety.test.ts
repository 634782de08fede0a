import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { type RawRequest, send } from '../support/http-agent.ts';
import { until } from '../support/world.ts';
import { Bench, newContext } from './support/bench.ts';
import {
  messages,
  nextReview,
  openFile,
  panelButton,
  press,
  proposed,
  review,
  reviews,
  row,
  shows,
  tab,
  textOf,
} from './support/steps.ts';

const FILES = { 'a.txt': 'one\n' };

const portOf = (bench: Bench) => Number(new URL(bench.workbench.origin).port);

/** One request to the page's port, as a browser there would make it unless told otherwise. */
function ask(bench: Bench, raw: RawRequest) {
  const port = portOf(bench);
  return send(port, { method: 'GET', path: '/', ...raw, headers: { host: `127.0.0.1:${port}`, ...raw.headers } });
}

function exchange(bench: Bench, body: string, headers: Record<string, string> = {}) {
  return ask(bench, {
    method: 'POST',
    path: '/session',
    body,
    headers: { origin: bench.workbench.origin, ...headers },
  });
}

/** A session as a browser has it. */
async function admitted(bench: Bench): Promise<{ cookie: string; key: string }> {
  const code = new URL(bench.workbench.invite()).hash.slice(1);
  const reply = await exchange(bench, code);
  return { cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '', key: reply.json.key };
}

interface Knocked {
  readonly socket: WebSocket;
  readonly status: Promise<number>;
  readonly closed: Promise<number>;
  readonly heard: string[];
}

function knock(t: TestContext, bench: Bench, headers: Record<string, string>, first?: string, path = '/live'): Knocked {
  const socket = new WebSocket(`ws://127.0.0.1:${portOf(bench)}${path}`, { headers });
  t.after(() => socket.terminate());
  const heard: string[] = [];
  const status = new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
  });
  const closed = new Promise<number>((resolve, reject) => {
    socket.once('close', resolve);
    setTimeout(() => reject(new Error('it was not closed')), 5000).unref();
  });
  closed.catch(() => {});
  socket.on('error', () => {});
  socket.on('message', (data) => heard.push(data.toString()));
  socket.once('open', () => first !== undefined && socket.send(first));
  return { socket, status, closed, heard };
}

test('a hostile page on another port of the same machine gets nothing: fetch, form, socket, frame', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const hostile = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>hostile</title>');
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  t.after(() => hostile.close());
  const page = await bench.page(); // this browser has the cookie, which is shared between ports
  const evil = await page.context().newPage();
  await evil.goto(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`);
  const { origin } = bench.workbench;
  const code = new URL(bench.workbench.invite()).hash.slice(1);
  const tried = await evil.evaluate(`(async () => {
    const outcome = {};
    const attempt = async (name, work) => { outcome[name] = await work().catch((error) => error.name); };
    await attempt('read', async () => (await fetch('${origin}/', { credentials: 'include' })).status);
    await attempt('script', async () => (await fetch('${origin}/page.js', { mode: 'no-cors' })).type);
    await attempt('session', async () => (await fetch('${origin}/session', { method: 'POST', body: '${code}', credentials: 'include' })).status);
    await attempt('blind session', async () => (await fetch('${origin}/session', { method: 'POST', body: '${code}', mode: 'no-cors', credentials: 'include' })).type);
    await attempt('socket', () => new Promise((resolve) => {
      const socket = new WebSocket('${origin.replace('http', 'ws')}/live');
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('refused');
    }));
    await attempt('agents', () => new Promise((resolve) => {
      const socket = new WebSocket('ws://127.0.0.1:${bench.companion.port}/', 'mcp');
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('refused');
    }));
    await attempt('control', async () => (await fetch('http://127.0.0.1:${bench.companion.port}/control/status', { method: 'POST', body: '{}' })).status);
    await attempt('frame', () => new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = () => { try { resolve(frame.contentDocument ? 'readable' : 'closed'); } catch { resolve('closed'); } };
      frame.src = '${origin}/';
      document.body.append(frame);
    }));
    return outcome;
  })()`);
  const { script, 'blind session': blind, ...others } = tried as Record<string, unknown>;
  assert.ok(script === 'TypeError' || script === 'opaque', String(script));
  assert.ok(blind === 'TypeError' || blind === 'opaque', String(blind));
  assert.deepEqual(others, {
    read: 'TypeError',
    session: 'TypeError',
    socket: 'refused',
    agents: 'refused',
    control: 'TypeError',
    frame: 'closed',
  });
  assert.equal((await exchange(bench, code)).status, 200, 'the code was not used up by any of it');
});

test('without a code, with a used, wrong or empty one: nobody is let in', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const code = new URL(bench.workbench.invite()).hash.slice(1);
  assert.ok(code.length >= 32);
  for (const wrong of ['', 'x', code.slice(1), `${code} `, '__proto__', 'constructor'])
    assert.equal((await exchange(bench, wrong)).status, 401, wrong);
  assert.equal((await exchange(bench, code)).status, 200);
  assert.equal((await exchange(bench, code)).status, 401, 'good once');
  const used = await (await newContext(t)).newPage();
  await used.goto(`${bench.workbench.origin}/#${code}`);
  await shows('the page says why', used.getByRole('alert'), 'was used already');
  assert.equal(await used.evaluate('location.hash'), '', 'and the code does not stay in the address');
  await until('too long a code is cut off', () =>
    exchange(bench, 'x'.repeat(5000)).then(
      (reply) => reply.status === 401,
      () => true,
    ),
  );
});

test('the cookie is HttpOnly and SameSite=Strict, and is worth nothing without the key', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const code = new URL(bench.workbench.invite()).hash.slice(1);
  const reply = await exchange(bench, code);
  assert.match(String(reply.headers['set-cookie']), /; HttpOnly; SameSite=Strict; Path=\/$/);
  assert.equal(reply.headers['cache-control'], 'no-store');
  const cookie = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { origin } = bench.workbench;
  const other = await admitted(bench);
  for (const first of [
    '{}',
    '{"key":""}',
    '{"key":"x"}',
    '{"key":null}',
    'no json',
    `{"key":"${other.key}"}`,
    `{"key":"${'x'.repeat(5000)}"}`,
  ]) {
    const knocked = knock(t, bench, { origin, cookie }, first);
    assert.equal(await knocked.closed, 4401, first.slice(0, 40));
    assert.deepEqual(knocked.heard, []);
  }
  assert.equal(
    await knock(t, bench, { origin }, JSON.stringify({ key: reply.json.key })).status,
    401,
    'nor the key alone',
  );
  const right = knock(t, bench, { origin, cookie }, JSON.stringify({ key: reply.json.key }));
  await until('let in', () => right.heard.length > 0);
});

test('DNS rebinding and foreign origins: Host and Origin are checked on every request and socket', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const port = portOf(bench);
  const { cookie, key } = await admitted(bench);
  const { origin } = bench.workbench;
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
  ]) {
    assert.equal((await ask(bench, { headers: { host } })).status, 403, host);
    const headers = { host, origin: `http://${host}` };
    assert.equal((await ask(bench, { method: 'POST', path: '/session', body: 'x', headers })).status, 403, host);
    assert.equal(await knock(t, bench, { ...headers, cookie }, JSON.stringify({ key })).status, 403, host);
  }
  for (const wrong of [
    'null',
    'http://evil.example',
    `http://127.0.0.1:${port + 1}`,
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `${origin}.evil.example`,
    'file://',
  ]) {
    assert.equal((await ask(bench, { headers: { origin: wrong } })).status, 403, wrong);
    assert.equal((await exchange(bench, 'x', { origin: wrong })).status, 403, wrong);
    assert.equal(await knock(t, bench, { origin: wrong, cookie }, JSON.stringify({ key })).status, 403, wrong);
  }
  assert.equal(await knock(t, bench, { cookie }, JSON.stringify({ key })).status, 403, 'a socket without an origin');
  assert.equal(
    (await ask(bench, { method: 'POST', path: '/session', body: 'x' })).status,
    403,
    'a post without an origin',
  );
  assert.equal(await knock(t, bench, { origin, cookie }, '', '/').status, 404, 'another path');
});

test('the page’s port serves the page and nothing else', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  bench.world.file('secret.html', 'secret');
  for (const path of [
    '/../tandem.js',
    '/%2e%2e/tandem.js',
    '/..%2ftandem.js',
    '/chunks/../../tandem.js',
    '//etc/passwd',
    '/etc/passwd',
    '/.gitignore',
    '/secret.html',
    `${bench.path('secret.html')}`,
    '/index.html/../../core.js',
    '/page.js%00.html',
    '/mcp',
    '/control/status',
  ]) {
    const reply = await ask(bench, { path });
    assert.equal(reply.status, 404, path);
    assert.equal(reply.text, '');
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    assert.equal(
      (await ask(bench, { method, path: '/', headers: { origin: bench.workbench.origin } })).status,
      405,
      method,
    );
});

test('the strict policy is on every answer, and its nonce is new each time', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const nonces = new Set<string>();
  for (const path of ['/', '/page.js', '/page.css', '/nothing', '/']) {
    const reply = await ask(bench, { path });
    const policy = String(reply.headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      assert.ok(policy.includes(part), `${path}: ${part}`);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(reply.headers['x-content-type-options'], 'nosniff');
    assert.equal(reply.headers['referrer-policy'], 'no-referrer');
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    nonces.add(nonce);
    if (path === '/') assert.ok(reply.text.includes(nonce));
  }
  assert.equal(nonces.size, 5);
});

test('the agents’ port refuses browsers', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await (await newContext(t)).newPage();
  const { port } = bench.companion;
  const answer = await page.goto(`http://127.0.0.1:${port}/`);
  assert.ok((answer?.status() ?? 0) >= 400);
  const headers = {
    host: `127.0.0.1:${port}`,
    origin: bench.workbench.origin,
    authorization: `Bearer ${bench.token('gemini')}`,
  };
  assert.equal((await send(port, { path: '/mcp', body: '{}', headers })).status, 403);
});

const EVIL = '<img src=x onerror="document.title=1"><script>1</script>';

test('file names and agents’ words are shown as text, whatever they hold', async (t) => {
  const name = `${EVIL.replaceAll('/', '')}.txt`;
  const bench = await Bench.start(t, { files: { [name]: `${EVIL}\n`, 'a.txt': 'one\n' } });
  const page = await bench.page();
  const claude = await bench.claude();
  await row(page, name).dblclick();
  await tab(page, name).waitFor();
  await press(page, 'Control+a');
  const [link] = bench.companion.links.all;
  Object.defineProperty(link?.agent, 'name', { value: EVIL });
  Object.defineProperty(link?.agent, 'version', { value: EVIL });
  if (link) bench.companion.links.updated.emit(link);
  const file = bench.path(name);
  claude.ask('tools/call', {
    name: 'openDiff',
    arguments: { old_file_path: file, new_file_path: file, new_file_contents: `${EVIL}${EVIL}\n`, tab_name: EVIL },
  });
  bench.editor.tell({ level: 'error', message: EVIL });
  await shows('a message', messages(page), EVIL);
  await nextReview(page);
  assert.equal(await textOf(proposed(page)), `${EVIL}${EVIL}\n`);
  await review(page).getByRole('button', { name: 'Inline' }).click();
  for (const panel of ['Reviews', 'Agents', 'Context', 'Files']) {
    await panelButton(page, panel).click();
    await page.getByRole('complementary', { name: panel }).waitFor();
  }
  await panelButton(page, 'Context').click();
  await page.getByRole('button', { name: 'Show what was sent' }).click();
  await page.getByRole('region', { name: 'What was sent' }).waitFor();
  await press(page, 'Control+p');
  await shows('in the list', page.getByRole('dialog'), name.slice(0, 20));
  assert.equal(await page.locator('img, main script, aside script').count(), 0);
  assert.match(await page.title(), /Tandem$/);
});

test('no token of any dialect and no control token ever reaches the page', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const context = await newContext(t);
  const page = await context.newPage();
  const heard: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => heard.push(payload.toString()));
  });
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => heard.push(text),
        () => {},
      ),
  );
  await page.goto(bench.workbench.invite());
  const [gemini] = [await bench.agent(), await bench.agent('qwen'), await bench.claude()];
  await openFile(page, 'a.txt');
  await gemini.call('openDiff', { filePath: bench.path('a.txt'), newContent: 'new\n' });
  await nextReview(page);
  await panelButton(page, 'Reviews').click();
  await reviews(page).first().waitFor();
  await panelButton(page, 'Agents').click();
  await panelButton(page, 'Context').click();
  await page.getByRole('button', { name: 'Show what was sent' }).click();
  await page.getByRole('button', { name: 'Send to Claude Code' }).click();
  await shows('sent', messages(page), 'sent');
  const everything = [...heard, await page.content(), await stored(page)].join('\n');
  assert.ok(everything.includes('proposes') || everything.includes('"reviews"'), 'there is something to look at');
  const secrets = ['claude', 'gemini', 'qwen'].map((dialect) => bench.token(dialect));
  secrets.push(...(await controlTokens(bench)));
  assert.equal(secrets.length, 4);
  for (const secret of secrets) assert.ok(secret.length >= 32 && !everything.includes(secret));
});

function stored(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
}

async function controlTokens(bench: Bench): Promise<string[]> {
  const { readdirSync, readFileSync } = await import('node:fs');
  const run = `${bench.world.home}/.tandem/run`;
  const records = readdirSync(run).filter((name) => name.endsWith('.json'));
  return records.map((name) => JSON.parse(readFileSync(`${run}/${name}`, 'utf8')).controlToken);
}

test('what the page keeps for the next workbench are digests, not what opens the door', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const { cookie, key } = await admitted(bench);
  const { readdirSync, readFileSync } = await import('node:fs');
  const run = `${bench.world.home}/.tandem/run`;
  const kept = readdirSync(run)
    .map((name) => readFileSync(`${run}/${name}`, 'utf8'))
    .join('\n');
  for (const secret of [cookie.split('=')[1] ?? '', key]) assert.ok(secret.length > 30 && !kept.includes(secret));
});
