import { here, type Surroundings } from '@tandem/client';
import { AGENTS, type AgentId } from '../run/agents.ts';
import { CAUSES } from './causes/index.ts';
import { type GatherOptions, gatherMachine, gatherScene } from './gather/gather.ts';
import { candidatesOf, looksOf, whyOf } from './looks.ts';
import type { Diagnosis } from './model.ts';

export type { Diagnosis, Finding, Fix, Severity } from './model.ts';

export interface DiagnoseOptions extends GatherOptions {
  /** Where the agent would be started: this process and folder unless told otherwise. */
  readonly around?: Surroundings;
  /** One agent; all of them unless told otherwise, and then one that is not installed is no fault. */
  readonly agent?: AgentId;
}

/** What agents that are started here would find, and what stands in their way. Changes nothing. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<readonly Diagnosis[]> {
  const machine = await gatherMachine(options.around ?? here(), options);
  const named = options.agent !== undefined;
  const wanted = AGENTS.filter((agent) => !named || agent.id === options.agent);
  const scenes = await Promise.all(wanted.map((agent) => gatherScene(machine, agent, named)));
  return scenes.map((scene) => ({
    agent: scene.agent.id,
    name: scene.agent.name,
    program: scene.program,
    looks: looksOf(scene),
    candidates: candidatesOf(scene),
    chosen: scene.discovery.chosen,
    why: whyOf(scene),
    // Without the agent all else is idle talk, unless somebody asked for it.
    findings:
      scene.program || named
        ? CAUSES.flatMap((cause) => cause(scene))
        : CAUSES.slice(0, 1).flatMap((cause) => cause(scene)),
  }));
}

/** Whether something really stands in the way. */
export function isIll(diagnoses: readonly Diagnosis[]): boolean {
  return diagnoses.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
}
