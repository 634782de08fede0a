import { delimiter } from 'node:path';
import type { Candidate } from '@tandem/client';
import { contains } from '@tandem/core';
import type { Cause, Finding, Scene } from '../model.ts';
import { answering, nameOf, real, servingHere } from './common.ts';

/** There is a companion, but for another folder as the agent sees it. Of several reasons the most telling one is said. */
export const workspaceCauses: readonly Cause[] = [
  (scene) => {
    if (scene.discovery.chosen) return [];
    const split = splitName(scene);
    if (split) return [split];
    const findings = answering(scene)
      .filter((candidate) => candidate.refused !== undefined)
      .flatMap((candidate) => mismatch(scene, candidate) ?? []);
    const telling = findings.filter(({ id }) => id !== 'workspace-mismatch');
    return telling.length > 0 ? telling : merged(findings);
  },
];

function mismatch(scene: Scene, candidate: Candidate): Finding | undefined {
  const { agent, around } = scene;
  const { cwd } = around;
  const { folders } = candidate;
  const reals = folders.map(real);
  const here = real(cwd);
  const listed = folders.join(', ');
  if (folders.length === 0) {
    return {
      id: 'workspace-empty',
      severity: 'error',
      evidence: `${nameOf(candidate)} has no folder open`,
      remedy: `open ${cwd} in that editor`,
    };
  }
  if (contains(reals, here)) {
    // Claude Code compares as text: then a link on either side is enough. Otherwise something else refused it.
    if (contains(folders, cwd)) return undefined;
    return {
      id: 'workspace-symlink',
      severity: 'error',
      evidence: `${agent.name} compares ${cwd} with ${listed} as text; both are ${here} behind a symbolic link`,
      remedy: `open ${here} in the editor, or name the port: tandem run ${agent.id}`,
    };
  }
  const lower = (paths: readonly string[]) => paths.map((path) => path.toLowerCase());
  if (contains(lower(reals), here.toLowerCase())) {
    return {
      id: 'workspace-case',
      severity: 'error',
      evidence: `${here} and ${reals.join(', ')} (${nameOf(candidate)}) differ in upper and lower case only`,
      remedy: `start ${agent.name} in the folder as the editor spells it`,
    };
  }
  if (reals.some((folder) => contains([here], folder))) {
    return {
      id: 'workspace-above',
      severity: 'error',
      evidence: `${here} is above ${reals.join(', ')} (${nameOf(candidate)}); an agent must run in the folder or below`,
      remedy: `cd ${reals[0]}, or open ${here} in the editor`,
    };
  }
  return {
    id: 'workspace-mismatch',
    severity: 'error',
    evidence: `${here} is not below ${reals.join(', ')} (${nameOf(candidate)})`,
    remedy: `cd ${reals[0]}, open ${here} in that editor, or tandem run ${agent.id} here`,
  };
}

/** Gemini CLI reads several folders from one string, so a folder with the separator in its name falls apart. */
function splitName(scene: Scene): Finding | undefined {
  if (scene.agent.id !== 'gemini') return undefined;
  const folders = servingHere(scene).flatMap(({ record }) => record.workspaceFolders);
  const odd = folders.find((folder) => folder.includes(delimiter) && contains([folder], real(scene.around.cwd)));
  if (odd === undefined) return undefined;
  return {
    id: 'workspace-delimiter',
    severity: 'error',
    evidence: `${odd} has a "${delimiter}" in its name, which Gemini CLI reads as two folders`,
    remedy: 'rename the folder; Claude Code and Qwen Code can work in it',
  };
}

/** Ten windows for ten other folders are one fact. */
function merged(findings: readonly Finding[]): readonly Finding[] {
  const [first, ...others] = findings;
  if (!first || others.length === 0) return findings;
  return [{ ...first, evidence: `${first.evidence}, nor below the folders of ${others.length} more` }];
}
