import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildExtension } from '../build.ts';

test('what is read when the window opens is small, and the protocol library is not in it', async (t) => {
  const outdir = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
  t.after(() => rmSync(outdir, { recursive: true }));
  const { activationBytes, activationInputs, totalBytes } = await buildExtension(outdir);
  assert.ok(activationBytes < 150 * 1024, `${activationBytes} bytes`);
  assert.ok(totalBytes > 3 * activationBytes, 'the rest is there');
  const heavy = activationInputs.filter((input) => /node_modules|packages\/(cli|client)\//.test(input));
  assert.deepEqual(heavy, []);
  const main = readFileSync(join(outdir, 'main.cjs'), 'utf8');
  assert.doesNotMatch(main, /\bimport\(|\bimport\.meta|\.mjs/, 'all of it is CommonJS');
});
