import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildExtension } from '../build.ts';
import { buildWebview } from '../build-webview.ts';

test('what is read when the window opens is small, and the protocol library is not in it', async (t) => {
  const outdir = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
  t.after(() => rmSync(outdir, { recursive: true }));
  const { activationBytes, activationInputs, totalBytes } = await buildExtension(outdir);
  assert.ok(activationBytes < 150 * 1024, `${activationBytes} bytes`);
  assert.ok(totalBytes > 3 * activationBytes, 'the rest is there');
  const heavy = activationInputs.filter((input) => /node_modules|packages\/(cli|client|chat|ui)\//.test(input));
  assert.deepEqual(heavy, []);
  const late = activationInputs.filter((input) =>
    /src\/(offer-notes|reviews\/(notes|note|note-fields))\.ts$/.test(input),
  );
  assert.deepEqual(late, [], 'notes are read when the first review has opened');
  const main = readFileSync(join(outdir, 'main.cjs'), 'utf8');
  assert.doesNotMatch(main, /\bimport\(|\bimport\.meta|\.mjs/, 'all of it is CommonJS');
});

test('the chat panel is packed whole: its code and its style, and no way to run a text', async (t) => {
  const outdir = mkdtempSync(join(tmpdir(), 'tandem-panel-'));
  t.after(() => rmSync(outdir, { recursive: true }));
  const bytes = await buildWebview(outdir);
  assert.ok(bytes < 1500 * 1024, `${bytes} bytes`);
  const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' });
  assert.ok(files.includes('webview.js') && files.includes('webview.css'), files.join(' '));
  for (const name of files.filter((each) => each.endsWith('.js'))) {
    assert.doesNotMatch(readFileSync(join(outdir, name), 'utf8'), /\beval\(|new Function\(/, name);
  }
});
