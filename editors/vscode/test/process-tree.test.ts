import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { ancestors, commonAncestor } from '../src/process-tree.ts';

/** 10 main → 20 zygote → 30 extension host, 40 terminals' host → 50 shell; 60 elsewhere. */
const PARENTS: Readonly<Record<number, number>> = { 10: 1, 20: 10, 30: 20, 40: 20, 50: 40, 60: 1 };
const parentOf = (pid: number) => PARENTS[pid] ?? 0;

test('[CLA-2] the editor is the nearest process that is above both the extension host and a terminal', async () => {
  assert.equal(await commonAncestor(30, 50, parentOf), 20);
  assert.equal(await commonAncestor(30, 60, parentOf), undefined);
});

test('a circle in the process table ends', async () => {
  assert.deepEqual(await ancestors(2, (pid) => (pid === 2 ? 3 : 2)), [3, 2]);
});

test('this process is above its child', {
  skip: process.platform === 'win32' && 'the table is not read there',
}, async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    assert.equal((await ancestors(child.pid ?? 0))[0], process.pid);
  } finally {
    child.kill();
  }
});
