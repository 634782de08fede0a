import { realpathSync } from 'node:fs';
import { request } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { type CompanionRecord, contains, Registry } from '@tandem/core';
import { CommandError } from './errors.ts';

/** The companion that serves the current folder; the innermost folder wins, and two are never guessed between. */
export async function findCompanion(port: number | undefined): Promise<CompanionRecord> {
  const living = await new Registry({ home: homedir(), tmp: tmpdir(), env: process.env }).living();
  if (port !== undefined) {
    const named = living.find((record) => record.port === port);
    if (named) return named;
    throw new CommandError(3, `no companion listens on port ${port}`, list(living));
  }
  const cwd = realpathSync(process.cwd());
  const depth = (record: CompanionRecord) =>
    Math.max(0, ...record.workspaceFolders.filter((folder) => contains([folder], cwd)).map((folder) => folder.length));
  const deepest = Math.max(0, ...living.map(depth));
  const [first, ...others] = living.filter((record) => depth(record) === deepest && deepest > 0);
  if (!first) throw new CommandError(3, `no companion serves ${cwd}`, list(living));
  if (others.length > 0) {
    throw new CommandError(
      3,
      `more than one companion serves ${cwd}`,
      `name one with --port: ${ports([first, ...others])}`,
    );
  }
  return first;
}

function list(living: readonly CompanionRecord[]): string {
  if (living.length === 0) return 'start one with: tandem serve';
  const others = living.map((record) => `${record.workspaceFolders.join(', ')} (--port ${record.port})`);
  return `start one with: tandem serve; others run in ${others.join('; ')}`;
}

function ports(records: readonly CompanionRecord[]): string {
  return records.map((record) => `${record.port} (${record.editor.displayName}, pid ${record.pid})`).join(', ');
}

/** Asks a running companion; its refusals become this command's. */
export async function ask<T>(
  companion: CompanionRecord,
  verb: string,
  input: object = {},
  signal?: AbortSignal,
): Promise<T> {
  const { status, body } = await post(companion, `/control/${verb}`, JSON.stringify(input), signal);
  const value = JSON.parse(body || 'null');
  if (status === 200) return value as T;
  throw new CommandError(1, value?.error ?? `the companion answered ${status}`);
}

/** node:http rather than fetch: it starts faster and no proxy setting can catch it. */
function post(
  companion: CompanionRecord,
  path: string,
  body: string,
  signal: AbortSignal | undefined,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${companion.controlToken}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const place = { host: '127.0.0.1', port: companion.port, path, method: 'POST', agent: false };
    const asked = request({ ...place, headers, ...(signal ? { signal } : {}) });
    asked.on('error', (error) => reject(new CommandError(1, `the companion does not answer: ${error.message}`)));
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    asked.end(body);
  });
}
