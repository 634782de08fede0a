import type { Candidate } from '@tandem/client';
import type { Cause, Finding, Probe, Scene } from '../model.ts';
import { hasFile, isStuckWith, nameOf } from './common.ts';

/** What answers where a companion should. Only those that the agent would take are worth a word. */
export const portCauses: readonly Cause[] = [
  (scene) =>
    scene.discovery.candidates
      .filter((each) => each.refused === undefined || isGone(scene, each))
      .flatMap((candidate) => answered(scene, candidate) ?? []),
  ({ namedPort, agent, discovery }) => {
    if (!namedPort || namedPort.answers) return [];
    return [
      {
        id: 'port-variable-stale',
        severity: discovery.chosen ? 'note' : 'warning',
        evidence: `${agent.portVariable}=${namedPort.port} in this terminal, but nothing listens there`,
        remedy: `open a new terminal, or unset ${agent.portVariable}; tandem run ${agent.id} sets the right one`,
      },
    ];
  },
];

function answered(scene: Scene, candidate: Candidate): Finding | undefined {
  const probe = scene.probes.get(candidate.file);
  // Claude Code's older wire is another matter, told elsewhere.
  if (!probe || probe.answer === 'companion' || candidate.transport === 'sse') return undefined;
  const severity = isStuckWith(scene, candidate) ? 'error' : candidate.refused === undefined ? 'warning' : 'note';
  const finding = words(scene, candidate, probe);
  return finding && { ...finding, severity };
}

/** A file without a process, and nobody at its port: Claude Code deletes it, the others may take it. */
function isGone({ probes }: Scene, candidate: Candidate): boolean {
  return hasFile(candidate) && candidate.pid === undefined && probes.get(candidate.file)?.answer === 'refused';
}

function words(scene: Scene, candidate: Candidate, probe: Probe): Omit<Finding, 'severity'> | undefined {
  const { agent } = scene;
  const where = `127.0.0.1:${candidate.port}`;
  const anew = 'start that companion anew; its file is written with it';
  switch (probe.answer) {
    case 'refused':
      // With a process it is a stale file, which is told as such.
      if (candidate.pid !== undefined) return undefined;
      return {
        id: 'port-refused',
        evidence: `nothing listens on ${where}, which ${candidate.file} names`,
        remedy: `start the editor's companion, or remove the file`,
      };
    case 'silent':
      return {
        id: 'port-silent',
        evidence: `${nameOf(candidate)} takes connections on ${where} and does not answer; its process ${candidate.pid ?? ''} hangs or is stopped`,
        remedy: 'look after that process (fg, a debugger, a busy extension host), or start the editor anew',
      };
    case 'other':
      return {
        id: 'port-foreign',
        evidence: `on ${where} is ${probe.what}, not a companion (${candidate.file})`,
        remedy: anew,
      };
    case 'token':
      return {
        id: 'token-refused',
        evidence: `${nameOf(candidate)} refuses the token in ${candidate.file}`,
        remedy: `${anew}; an agent that runs must be started anew as well`,
      };
    case 'host':
      return {
        id: 'host-refused',
        evidence: `${nameOf(candidate)} refuses requests for 127.0.0.1 (403)`,
        remedy: 'that companion wants another name for this machine; look at its settings',
      };
    case 'subprotocol':
      return {
        id: 'subprotocol-missing',
        evidence: `${nameOf(candidate)} does not answer with the subprotocol "mcp", so ${agent.name} hangs up`,
        remedy: 'update the extension that wrote the file, or use Tandem: tandem install',
      };
    case 'companion':
      return undefined;
  }
}
