import type { Cause, Scene } from '../model.ts';
import { answering, isOurs, nameOf, real, servingHere, usable } from './common.ts';

/** How long Claude Code goes on looking for a companion after it was started. */
const CLAUDE_LOOKS_MS = 30_000;

/** Is there a companion, is there one too many, was it there in time. */
export const companionCauses: readonly Cause[] = [
  (scene) => {
    const { agent, elsewhere, discovery, files, around } = scene;
    if (discovery.chosen || answering(scene).length > 0 || elsewhere.length > 0 || servingHere(scene).length > 0)
      return [];
    const left = files.length === 0 ? '' : ` (${files.length} left over, see below)`;
    return [
      {
        id: 'companion-missing',
        severity: 'error',
        evidence: `no companion runs that ${agent.name} could find from ${around.cwd}${left}`,
        remedy: `tandem run ${agent.id}, or start one beside it: tandem workbench, tandem serve, or your editor's extension`,
      },
    ];
  },
  (scene) => {
    const { agent, discovery, around } = scene;
    const all = usable(scene);
    if (all.length < 2 || all.some((each) => !isOurs(scene, each))) return [];
    const chosenByName = discovery.chosen?.port === Number(around.env[agent.portVariable]);
    if (chosenByName) return [];
    const names = all.map(nameOf).join(', ');
    const takes = discovery.chosen ? `takes ${nameOf(discovery.chosen)}` : 'takes none';
    return [
      {
        id: 'companions-several',
        severity: discovery.chosen ? 'warning' : 'error',
        evidence: `${all.length} companions fit ${around.cwd} and ${agent.name} ${takes}: ${names}`,
        remedy: `choose one: tandem run --port N ${agent.id}, or eval "$(tandem env ${agent.id} --port N)"`,
      },
    ];
  },
  (scene) => {
    const { agent, discovery } = scene;
    const foreign = usable(scene).filter((each) => !isOurs(scene, each));
    const ours = usable(scene).filter((each) => isOurs(scene, each));
    const [first] = foreign;
    if (!first || ours.length === 0) return [];
    if (discovery.chosen && isOurs(scene, discovery.chosen)) return [];
    const takes = discovery.chosen ? `takes ${nameOf(discovery.chosen)}` : 'takes neither';
    return [
      {
        id: 'vendor-companion',
        severity: discovery.chosen ? 'warning' : 'error',
        evidence: `${nameOf(first)} is another vendor's companion for the same folder; ${agent.name} ${takes} (${first.file})`,
        remedy: `switch that extension off, or choose: tandem run ${agent.id}`,
      },
    ];
  },
  (scene) => lateFor(scene),
];

/** Agents look for an editor once, when they start. */
function lateFor(scene: Scene) {
  const { agent, companions, running } = scene;
  return running
    .filter((each) => each.agent === agent.id)
    .flatMap(({ pid, cwd, startedAt, family }) => {
      const serving = companions.filter(({ record }) =>
        record.workspaceFolders.some((folder) => `${real(cwd)}/`.startsWith(`${folder}/`)),
      );
      const isLinked = serving.some(({ status }) =>
        status?.links.some((link) => link.agent === agent.id && link.pid !== undefined && family.includes(link.pid)),
      );
      const grace = agent.id === 'claude' ? CLAUDE_LOOKS_MS : 0;
      const late = serving.find(({ record }) => record.startedAt > startedAt + grace);
      if (isLinked || !late) return [];
      const seconds = Math.round((late.record.startedAt - startedAt) / 1000);
      return [
        {
          id: 'companion-late',
          severity: 'warning' as const,
          evidence: `${agent.name} (pid ${pid}) was started ${seconds} s before ${late.record.editor.displayName} (port ${late.record.port}) and is not connected`,
          remedy:
            agent.id === 'claude'
              ? 'in its terminal type /ide and choose the editor'
              : 'in its terminal type /ide enable; if it says that this is not supported, start it anew',
        },
      ];
    });
}
