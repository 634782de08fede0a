import { chmodSync, rmSync, statSync } from 'node:fs';
import type { Candidate } from '@tandem/client';
import type { Cause, Finding, Fix, Scene } from '../model.ts';
import { fileOf, hasFile, isOurs, isStuckWith, nameOf, servingHere, usable } from './common.ts';

/** The files by which companions are found, and the folders they are in. */
export const fileCauses: readonly Cause[] = [
  (scene) => scene.discovery.candidates.flatMap((candidate) => dead(scene, candidate) ?? []),
  (scene) => scene.discovery.candidates.flatMap((candidate) => stale(scene, candidate) ?? []),
  (scene) =>
    scene.files
      .filter((file) => file.broken === 'not JSON')
      .map((file) => ({
        id: 'file-broken',
        severity: 'warning',
        evidence: `${file.path} is no JSON, so no agent can read it`,
        remedy: 'remove it: tandem doctor --fix',
        fix: remove(scene, file.path, false),
      })),
  ({ files, agent }) =>
    files
      .filter((file) => file.broken === 'unreadable')
      .map((file) => ({
        id: 'file-unreadable',
        severity: 'error',
        evidence: `${agent.name} may not read ${file.path} (mode ${octal(file.mode)}, owner uid ${file.uid})`,
        remedy: `chmod 600 ${file.path}, as its owner`,
      })),
  ({ files, around }) =>
    files
      .filter((file) => around.uid !== undefined && file.uid === around.uid && (file.mode & 0o077) !== 0)
      .map((file) => ({
        id: 'file-permissions',
        severity: 'warning',
        evidence: `${file.path} holds a token and has mode ${octal(file.mode)}: others can read it`,
        remedy: `chmod 600 ${file.path}`,
        fix: {
          what: `chmod 600 ${file.path}`,
          ours: file.mark !== undefined,
          apply: () => chmodSync(file.path, 0o600),
        },
      })),
  ({ files, around, agent }) =>
    files
      .filter((file) => around.uid !== undefined && file.uid !== around.uid)
      .map((file) => ({
        id: 'file-owner',
        severity: agent.id === 'gemini' ? 'error' : 'warning',
        evidence: `${file.path} belongs to uid ${file.uid}, ${agent.name} runs as uid ${around.uid}`,
        remedy: 'run the editor and the agent as the same user, without sudo',
      })),
  ({ folders, agent }) =>
    folders
      .filter((folder) => folder.unsafe !== undefined)
      .map((folder) => ({
        id: 'folder-unsafe',
        severity: 'error',
        evidence: `no companion publishes itself to ${agent.name} in ${folder.path}: ${folder.unsafe}`,
        remedy: canTighten(folder.unsafe)
          ? `chmod 700 ${folder.path}, then start the companion anew`
          : 'replace it with a folder of your own',
        ...(canTighten(folder.unsafe) ? { fix: tighten(folder.path) } : {}),
      })),
  (scene) =>
    servingHere(scene).flatMap(({ record, status }) => {
      const { agent, folders } = scene;
      const dialect = status?.dialects.find((each) => each.dialect === agent.id);
      if (!status || (dialect && dialect.error === undefined)) return [];
      if (folders.some((folder) => folder.unsafe !== undefined)) return []; // said already
      const who = `${record.editor.displayName} (port ${record.port})`;
      return dialect
        ? [
            {
              id: 'not-published',
              severity: 'error',
              evidence: `${who} could not publish itself to ${agent.name}: ${dialect.error}`,
              remedy: 'repair that, then start the companion anew',
            },
          ]
        : [
            {
              id: 'agent-left-out',
              severity: 'error',
              evidence: `${who} was started without ${agent.name} (--no-agent ${agent.id})`,
              remedy: `start it without --no-agent ${agent.id}`,
            },
          ];
    }),
  (scene) => {
    const { discovery } = scene;
    if (scene.agent.id !== 'gemini' || !discovery.chosen || !/-server-\d+\.json$/.test(discovery.chosen.file))
      return [];
    return [
      {
        id: 'file-legacy',
        severity: 'warning',
        evidence: `${discovery.chosen.file} has a name of older versions, which wins over every other, whatever its folder`,
        remedy: 'remove it, or update the extension that wrote it',
        fix: remove(scene, discovery.chosen.file, false),
      },
    ];
  },
  (scene) => {
    const { agent, discovery, around } = scene;
    if (agent.id === 'claude' || discovery.chosen) return [];
    // The same rules again in the terminal of an editor that every agent knows.
    const { chosen } = agent.discover({ ...around, env: { ...around.env, TERM_PROGRAM: 'vscode' } });
    if (!chosen || chosen.ide || !hasFile(chosen)) return [];
    return [
      {
        id: 'editor-unnamed',
        severity: 'error',
        evidence: `${chosen.file} does not name its editor, so ${agent.name} takes it only in that editor's own terminal`,
        remedy: `start ${agent.name} in the editor's terminal, or use Tandem's extension: tandem install`,
      },
    ];
  },
  (scene) =>
    usable(scene)
      .filter((candidate) => candidate.transport === 'sse')
      .map((candidate) => ({
        id: 'transport-sse',
        severity: 'warning',
        evidence: `${candidate.file} does not say transport "ws", so Claude Code counts it and speaks its older wire there, without a token`,
        remedy: 'update the extension that wrote it, or remove the file',
        fix: remove(scene, candidate.file, false),
      })),
];

function dead(scene: Scene, candidate: Candidate): Finding | undefined {
  const { pid } = candidate;
  if (pid === undefined || scene.around.processes.isAlive(pid)) return undefined;
  // Claude Code and Qwen Code tidy up by themselves; Gemini CLI may choose it.
  return {
    id: 'file-dead',
    severity: scene.discovery.chosen === candidate ? 'error' : 'note',
    evidence: `${candidate.file} is left over: its process ${pid} has ended`,
    remedy: 'remove it: tandem doctor --fix',
    fix: remove(scene, candidate.file, isOurs(scene, candidate)),
  };
}

/** The process lives, but it is not, or is no longer, a companion. */
function stale(scene: Scene, candidate: Candidate): Finding | undefined {
  const { pid, port } = candidate;
  if (pid === undefined || scene.probes.get(candidate.file)?.answer !== 'refused') return undefined;
  const command = scene.around.processes.look(pid)?.command.split(/\s/)[0];
  const blocks = scene.agent.id === 'claude' && usable(scene).length > 1 && candidate.refused === undefined;
  const mark = fileOf(scene, candidate)?.mark;
  const inTheWay = isStuckWith(scene, candidate) || blocks;
  return {
    id: 'file-stale',
    severity: inTheWay ? 'error' : 'warning',
    evidence: `${candidate.file} names process ${pid} (${command ?? 'unknown'}), which runs, but nothing listens on port ${port}${inTheWay ? ` and ${scene.agent.name} counts it` : ''}`,
    remedy: `remove it: tandem doctor --fix; the file of ${nameOf(candidate)}`,
    fix: remove(scene, candidate.file, mark !== undefined && !scene.around.processes.isAlive(mark.pid)),
  };
}

/** Not if somebody has taken the name meanwhile. */
function remove({ files }: Scene, path: string, ours: boolean): Fix {
  const seen = files.find((file) => file.path === path)?.modified;
  const apply = () => {
    const now = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (seen !== undefined && now !== undefined && now !== seen) throw new Error('it was written anew meanwhile');
    rmSync(path, { force: true });
  };
  return { what: `remove ${path}`, ours, apply };
}

function canTighten(why: string | undefined): boolean {
  return why?.includes('chmod') ?? false;
}

function tighten(path: string): Fix {
  return { what: `chmod 700 ${path}`, ours: false, apply: () => chmodSync(path, 0o700) };
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
