import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve, tandem } from '../../../test/support/command.ts';
import { createWorld } from '../../../test/support/world.ts';
import { Terminal } from './support/terminal.ts';

function setUp(t: TestContext) {
  const world = createWorld(t);
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  for (const name of ['claude', 'gemini', 'qwen']) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho "started with <$*>"\n');
    chmodSync(join(bin, name), 0o755);
  }
  const settings = (agent: string, text?: string) => {
    const path = join(world.home, `.${agent}`, 'settings.json');
    mkdirSync(join(path, '..'), { recursive: true });
    if (text !== undefined) writeFileSync(path, text, { mode: 0o640 });
    return path;
  };
  return { world, env: { PATH: `${bin}:/usr/bin:/bin` }, settings };
}

const BY_HAND = `{
  // mine
  "ui": { "theme": "dark" },
  "ide": { "enabled": false }
}
`;

test('the first run shows what it would change, asks, and turns the switch on; the second does not ask', async (t) => {
  const { world, env, settings } = setUp(t);
  await serve(t, world);
  const path = settings('qwen', BY_HAND);
  chmodSync(path, 0o640);
  const first = new Terminal(t, world, ['run', 'qwen', '--flag'], env);
  await first.shows(/Do it\? \[y\/N\]/);
  assert.match(first.output, /ide\.enabled: false → true/);
  assert.match(first.output, /ide\.hasSeenNudge: not set → true/);
  assert.match(first.output, /tools\.approvalMode: not set → "default"/);
  assert.ok(!first.output.includes('started'), 'nothing starts before the answer');
  assert.equal(readFileSync(path, 'utf8'), BY_HAND, 'nothing is changed before the answer');
  first.type('y\n');
  assert.equal(await first.ended, 0);
  assert.match(first.output, /started with <--flag>/);
  const changed = readFileSync(path, 'utf8');
  assert.equal(
    changed,
    `{
  // mine
  "ui": { "theme": "dark" },
  "ide": { "enabled": true, "hasSeenNudge": true },
  "tools": {
    "approvalMode": "default"
  }
}
`,
  );
  assert.equal(statSync(path).mode & 0o777, 0o640);
  const second = new Terminal(t, world, ['run', 'qwen'], env);
  assert.equal(await second.ended, 0);
  assert.doesNotMatch(second.output, /Do it|→/);
  assert.match(second.output, /started with <>/);

  const { stdout } = await tandem(world, ['run', '--undo', 'qwen'], { env });
  assert.equal(stdout.match(/undone/g)?.length, 3, stdout);
  assert.equal(readFileSync(path, 'utf8'), BY_HAND);
  assert.equal(existsSync(join(world.home, '.tandem/agents.json')), false);
  assert.match((await tandem(world, ['run', '--undo'], { env })).stdout, /Nothing was changed/);
});

test('a no changes nothing and is remembered; --ask asks again', async (t) => {
  const { world, env, settings } = setUp(t);
  await serve(t, world);
  const path = settings('gemini', BY_HAND);
  for (const answer of ['\n', 'n\n', 'yonder\n', '\x04']) {
    const terminal = new Terminal(t, world, ['run', '--ask', 'gemini'], env);
    await terminal.shows(/Do it\?/);
    terminal.type(answer);
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.output, /Nothing was changed/);
    assert.match(terminal.output, /started with/, 'the agent starts all the same');
  }
  const again = new Terminal(t, world, ['run', 'gemini'], env);
  assert.equal(await again.ended, 0);
  assert.doesNotMatch(again.output, /Do it\?/);
  assert.match(again.output, /tandem run --ask gemini/);
  assert.equal(readFileSync(path, 'utf8'), BY_HAND);
});

test('where nobody can be asked nothing is changed, and it is said', async (t) => {
  const { world, env, settings } = setUp(t);
  await serve(t, world);
  const path = settings('gemini', BY_HAND);
  const { code, stderr, stdout } = await tandem(world, ['run', 'gemini', '-p', 'hello'], { env });
  assert.equal(code, 0);
  assert.match(stderr, /ide\.enabled: false → true.*nothing is changed without asking/);
  assert.equal(stdout, 'started with <-p hello>\n');
  assert.equal(readFileSync(path, 'utf8'), BY_HAND);
  assert.equal(existsSync(join(world.home, '.tandem/agents.json')), false, 'the question is still open');
});

test('Claude Code has no setting for it: it is started with an argument, unless the user gives one', async (t) => {
  const { world, env } = setUp(t);
  await serve(t, world);
  const first = new Terminal(t, world, ['run', 'claude', 'fix it'], env);
  await first.shows(/start it with --permission-mode manual/);
  first.type('yes\n');
  assert.equal(await first.ended, 0);
  assert.match(first.output, /started with <--permission-mode manual fix it>/);
  assert.match((await tandem(world, ['run', 'claude'], { env })).stdout, /<--permission-mode manual>/);
  const own = ['--permission-mode', 'plan'];
  assert.match((await tandem(world, ['run', 'claude', ...own], { env })).stdout, /<--permission-mode plan>/);
  await tandem(world, ['run', '--undo'], { env });
  assert.match((await tandem(world, ['run', 'claude'], { env })).stdout, /<>/);
});

test('a settings file that was not there is made, and goes again when that is undone', async (t) => {
  const { world, env } = setUp(t);
  await serve(t, world);
  const path = join(world.home, '.gemini/settings.json');
  const terminal = new Terminal(t, world, ['run', 'gemini'], env);
  await terminal.shows(/Do it\?/);
  terminal.type('y\n');
  await terminal.ended;
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { ide: { enabled: true, hasSeenNudge: true } });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await tandem(world, ['run', '--undo', 'gemini'], { env });
  assert.equal(existsSync(path), false);
});

test('a link to the settings stays a link, and what the user changed since stays changed', async (t) => {
  const { world, env, settings } = setUp(t);
  await serve(t, world);
  const dotfiles = join(world.root, 'dotfiles.json');
  writeFileSync(dotfiles, BY_HAND);
  const path = settings('gemini');
  symlinkSync(dotfiles, path);
  const terminal = new Terminal(t, world, ['run', 'gemini'], env);
  await terminal.shows(/Do it\?/);
  terminal.type('y\n');
  await terminal.ended;
  assert.ok(lstatSync(path).isSymbolicLink());
  assert.match(readFileSync(dotfiles, 'utf8'), /"enabled": true/);
  writeFileSync(dotfiles, readFileSync(dotfiles, 'utf8').replace('"hasSeenNudge": true', '"hasSeenNudge": false'));
  const { json } = await tandem(world, ['run', '--undo', 'gemini', '--json'], { env });
  assert.equal(json[0].undone.length, 1);
  assert.match(json[0].kept[0], /ide\.hasSeenNudge/);
  assert.match(readFileSync(dotfiles, 'utf8'), /"enabled": false, "hasSeenNudge": false/);
});

test('settings that are no JSON are left alone, and the agent starts all the same', async (t) => {
  const { world, env, settings } = setUp(t);
  await serve(t, world);
  const path = settings('gemini', '{ "ide": ');
  const terminal = new Terminal(t, world, ['run', 'gemini'], env);
  await terminal.shows(/Do it\?/);
  terminal.type('y\n');
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.output, /settings could not be changed: .*not JSON at line 1/);
  assert.doesNotMatch(terminal.output, /Done/);
  assert.equal(existsSync(join(world.home, '.tandem/agents.json')), false, 'it is asked again next time');
  assert.match(terminal.output, /started with/);
  assert.equal(readFileSync(path, 'utf8'), '{ "ide": ');
});

test('settings of the folder that win are named, and not changed', async (t) => {
  const { world, env, settings } = setUp(t);
  await serve(t, world);
  settings('gemini', '{"ide":{"enabled":true,"hasSeenNudge":true}}');
  const ofFolder = join(world.workspace, '.gemini/settings.json');
  mkdirSync(join(ofFolder, '..'));
  writeFileSync(ofFolder, '{"ide":{"enabled":false}}');
  const { stderr } = await tandem(world, ['run', 'gemini'], { env });
  assert.match(stderr, /\.gemini\/settings\.json decides otherwise than your own settings/);
  assert.equal(readFileSync(ofFolder, 'utf8'), '{"ide":{"enabled":false}}');
});
