// After a run nothing of it may be left: no process, no listening port, no discovery or temporary file.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';
import { waitFor } from './wait.ts';

export async function assertNothingLeft(sandbox: Sandbox, ports: number[]): Promise<void> {
  // An agent's children (a shell, a file watcher) may take a moment to notice that it has ended.
  await waitFor('all processes of the run to end', () => runs(sandbox).length === 0, 5000).catch(() => undefined);
  assert.deepEqual(runs(sandbox), [], 'processes left over');
  assert.deepEqual(
    ports.filter((port) => listening().has(port)),
    [],
    'ports still open',
  );
  assert.deepEqual(companionFiles(sandbox), [], 'files left over');
}

/** Everything in the directories where a companion publishes itself to agents. */
export function discoveryFiles(sandbox: Sandbox): string[] {
  const directories = [
    join(sandbox.home, '.claude', 'ide'),
    join(sandbox.home, '.qwen', 'ide'),
    join(sandbox.tmp, 'gemini', 'ide'),
    join(sandbox.tmp, 'qwen', 'ide'),
  ];
  return directories.flatMap(filesBelow);
}

/** These, the companion's own record, and temporary files anywhere near. */
export function companionFiles(sandbox: Sandbox): string[] {
  const temporary = [join(sandbox.home, '.tandem'), sandbox.workspace, sandbox.tmp]
    .flatMap(filesBelow)
    .filter((file) => file.endsWith('.tmp'));
  return [...discoveryFiles(sandbox), ...filesBelow(join(sandbox.home, '.tandem', 'run')), ...temporary];
}

function runs(sandbox: Sandbox): string[] {
  return sandbox.processes().map(({ pid, command }) => `${pid} ${command}`);
}

function filesBelow(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Local TCP ports in state LISTEN (0A). */
function listening(): Set<number> {
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((file) => {
    return readFileSync(file, 'utf8').split('\n').slice(1);
  });
  const open = rows.map((row) => row.trim().split(/\s+/)).filter((columns) => columns[3] === '0A');
  return new Set(open.map((columns) => Number.parseInt(columns[1]?.split(':')[1] ?? '', 16)));
}
