import { basename } from 'node:path';
import { ideProcess } from '@tandem/client';
import type { Diagnosis, Scene } from './model.ts';

/** Where an agent looks, in its own order, in words. */
export function looksOf(scene: Scene): Diagnosis['looks'] {
  const { agent, around, folders } = scene;
  const variable = { where: agent.portVariable, found: around.env[agent.portVariable] || 'not set' };
  const places = folders.map(({ path, count }) => ({ where: path, found: count === 1 ? '1 file' : `${count} files` }));
  if (agent.id !== 'gemini') return [variable, ...places];
  const given = around.env.GEMINI_CLI_IDE_PID;
  const pid = given ?? ideProcess(around);
  const command = basename(around.processes.look(Number(pid))?.command.split(/\s/)[0] ?? '') || 'not running';
  const found = `${pid} (${command})${given ? ', from GEMINI_CLI_IDE_PID' : ''}`;
  return [{ where: "the editor's process", found }, ...places, variable];
}

/** Why the agent chooses what it chooses. */
export function whyOf({ agent, discovery, around, probes }: Scene): string {
  const { chosen, note, candidates } = discovery;
  if (!chosen) return note ?? 'there is none';
  const fits = candidates.filter((each) => each.refused === undefined).length;
  const isNamed = chosen.port === Number(around.env[agent.portVariable]);
  const reason = isNamed
    ? `${agent.portVariable} names it`
    : fits === 1
      ? 'the only one that fits'
      : agent.id === 'qwen'
        ? `the newest of ${fits} that fit`
        : (note ?? `the first of ${fits} that fit`);
  const answer = probes.get(chosen.file)?.answer;
  if (answer === undefined || answer === 'companion') return reason;
  const next = discovery.next?.find(({ file }) => probes.get(file)?.answer === 'companion');
  return `${reason}, but it cannot be reached${next ? `; then port ${next.port} is tried` : ''}`;
}

export function candidatesOf({ discovery, around }: Scene): Diagnosis['candidates'] {
  return discovery.candidates.map((candidate) => {
    const dead = candidate.pid !== undefined && !around.processes.isAlive(candidate.pid);
    const verdict =
      candidate === discovery.chosen ? 'chosen' : (candidate.refused ?? (dead ? 'its process has ended' : 'fits'));
    return { candidate, verdict };
  });
}
