import { realpathSync } from 'node:fs';
import type { Candidate } from '@tandem/client';
import { contains } from '@tandem/core';
import type { LivingCompanion, Scene, SeenFile } from '../model.ts';

/** How a candidate is called in a line of evidence. */
export function nameOf({ ide, port, file }: Candidate): string {
  return `${ide?.displayName ?? 'a companion'} (${port === undefined ? file : `port ${port}`})`;
}

export function fileOf(scene: Scene, candidate: Candidate): SeenFile | undefined {
  return scene.files.find((file) => file.path === candidate.file);
}

export function isOurs(scene: Scene, candidate: Candidate): boolean {
  return fileOf(scene, candidate)?.mark !== undefined;
}

export function usable({ discovery }: Scene): readonly Candidate[] {
  return discovery.candidates.filter((candidate) => candidate.refused === undefined);
}

/** Candidates whose process, if they name one, runs. */
export function living({ discovery, around }: Scene): readonly Candidate[] {
  return discovery.candidates.filter(({ pid }) => pid === undefined || around.processes.isAlive(pid));
}

/** Where variables alone name a companion there is no file. */
export function hasFile({ file }: Candidate): boolean {
  return file !== 'environment';
}

/** The agent takes this one, and whoever it would try next does not answer either. */
export function isStuckWith({ discovery, probes }: Scene, candidate: Candidate): boolean {
  if (discovery.chosen !== candidate) return false;
  return !discovery.next?.some(({ file }) => file !== candidate.file && probes.get(file)?.answer === 'companion');
}

/** Those behind which there really is a companion, or may be. */
export function answering(scene: Scene): readonly Candidate[] {
  return living(scene).filter((candidate) => {
    if (!hasFile(candidate)) return false;
    const answer = scene.probes.get(candidate.file)?.answer;
    return answer !== 'refused' && answer !== 'other';
  });
}

export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Our own companions that serve the current folder. */
export function servingHere({ companions, around }: Scene): readonly LivingCompanion[] {
  return companions.filter(({ record }) => contains(record.workspaceFolders, real(around.cwd)));
}
