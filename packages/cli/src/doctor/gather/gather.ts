import { existsSync, readFileSync } from 'node:fs';
import type { Surroundings } from '@tandem/client';
import { answers, CONTAINER_MARKS, type CompanionRecord, Registry } from '@tandem/core';
import { ask } from '../../control-client.ts';
import type { AgentProgram } from '../../run/agents.ts';
import { findOnPath } from '../../run/path.ts';
import { readAgentSettings } from '../../run/settings.ts';
import type { CompanionStatus, LivingCompanion, Machine, Probe, Scene } from '../model.ts';
import { lookElsewhere } from './elsewhere.ts';
import { discoveryFolders, seeFiles, seeFolder } from './files.ts';
import { probe } from './probe.ts';
import { ProcessTable } from './processes.ts';
import { findProgram } from './program.ts';

export interface GatherOptions {
  /** What says that this is a container; the system's own marks unless told otherwise. */
  readonly containerMarks?: readonly string[];
}

export async function gatherMachine(around: Surroundings, options: GatherOptions = {}): Promise<Machine> {
  const table = new ProcessTable();
  return {
    around,
    companions: await companionsOf(around),
    running: table.agents(),
    others: table.environments(around),
    isContainer: (options.containerMarks ?? CONTAINER_MARKS).some((path) => existsSync(path)),
    isWsl: around.env.WSL_DISTRO_NAME !== undefined || /microsoft/i.test(kernel()),
    hasPs: process.platform === 'win32' || findOnPath('ps', around.env) !== undefined,
  };
}

export async function gatherScene(machine: Machine, agent: AgentProgram, named: boolean): Promise<Scene> {
  const { around } = machine;
  const discovery = agent.discover(around);
  const paths = discoveryFolders(agent.id, around);
  const files = paths.flatMap((path) => seeFiles(agent.id, path));
  const isOurs = (file: string) => files.some((each) => each.path === file && each.mark !== undefined);
  // Those whose process has ended are not asked: somebody else may have their port by now, and the agent will not ask.
  const living = discovery.candidates.filter(({ pid }) => pid === undefined || around.processes.isAlive(pid));
  const probed = living.map(async (candidate): Promise<[string, Probe]> => {
    return [candidate.file, await probe(agent.id, candidate, isOurs(candidate.file))];
  });
  const port = Number(around.env[agent.portVariable]);
  const [program, probes, elsewhere, listens] = await Promise.all([
    findProgram(agent, around),
    Promise.all(probed),
    discovery.chosen ? [] : lookElsewhere(agent, around, machine.others),
    answers(port),
  ]);
  return {
    ...machine,
    agent,
    named,
    program,
    discovery,
    folders: paths.map((path) => seeFolder(agent.id, path, around.uid)),
    files,
    probes: new Map(probes),
    namedPort: around.env[agent.portVariable] ? { port, answers: listens } : undefined,
    settings: readAgentSettings(agent.id, around),
    elsewhere,
  };
}

async function companionsOf(around: Surroundings): Promise<readonly LivingCompanion[]> {
  const records = await new Registry(around).living();
  return Promise.all(records.map(async (record) => ({ record, ...(await statusOf(record)) })));
}

async function statusOf(record: CompanionRecord): Promise<{ status?: CompanionStatus }> {
  try {
    return { status: await ask<CompanionStatus>(record, 'status', {}, AbortSignal.timeout(2000)) };
  } catch {
    return {}; // it hangs, or goes; the probes say so
  }
}

function kernel(): string {
  try {
    return readFileSync('/proc/version', 'utf8');
  } catch {
    return '';
  }
}
