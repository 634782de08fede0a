import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { help } from '../src/help.ts';

test('the README shows the commands as the help does', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
  const shown = /```\n(Usage: tandem <command>[\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const [, overview] = /(Usage: tandem <command>[\s\S]*?)\n\n {2}tandem help/.exec(help()) ?? [];
  assert.equal(shown.trim(), overview?.trim());
});
