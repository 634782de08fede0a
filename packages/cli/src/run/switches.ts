import type { AgentId } from './agents.ts';
import type { AgentSettings, Setting, Settings } from './settings.ts';

/** One setting of an agent that has to change before its edits can be decided in an editor. */
export interface Change {
  readonly file: string;
  readonly path: readonly string[];
  /** Absent where the setting is not there. */
  readonly from?: unknown;
  readonly to: unknown;
  readonly why: string;
}

/** What stands between an agent and the editor in its own settings. */
export interface Plan {
  readonly changes: readonly Change[];
  /** Arguments to start it with, where it has no setting that does the same. */
  readonly args: readonly string[];
  readonly argsWhy?: string;
  /** What somebody else's file says and no change of the user's own can turn. */
  readonly overruled: readonly Setting[];
}

const CONNECT = 'so that it connects to the editor';
const NUDGE = 'so that it does not offer to install an extension instead';
const DIFFS = 'so that edits wait for you instead of being applied at once';

export function planFor(agent: AgentId, { settings, config }: AgentSettings): Plan {
  switch (agent) {
    case 'claude':
      return claude(settings, config);
    case 'gemini':
      return join([
        wish(settings, ['ide', 'enabled'], true, CONNECT),
        wish(settings, ['ide', 'hasSeenNudge'], true, NUDGE),
        showsDiffs('gemini', settings) ? NOTHING : wish(settings, ['general', 'defaultApprovalMode'], 'default', DIFFS),
      ]);
    case 'qwen':
      return join([
        wish(settings, ['ide', 'enabled'], true, CONNECT),
        wish(settings, ['ide', 'hasSeenNudge'], true, NUDGE),
        wish(settings, ['tools', 'approvalMode'], 'default', DIFFS),
      ]);
  }
}

/** How the agent treats edits when nothing is said on its command line. */
export function approvalMode(agent: AgentId, settings: Settings): { mode: string; setting: Setting | undefined } {
  const path = APPROVAL[agent].path;
  const setting = settings.get(path);
  return { mode: String(setting?.value ?? APPROVAL[agent].unset), setting };
}

export function showsDiffs(agent: AgentId, settings: Settings): boolean {
  return APPROVAL[agent].asks.includes(approvalMode(agent, settings).mode);
}

/** Claude Code and Qwen Code start in a mode that asks nobody. */
const APPROVAL: Readonly<Record<AgentId, { path: readonly string[]; unset: string; asks: readonly string[] }>> = {
  claude: { path: ['permissions', 'defaultMode'], unset: 'auto', asks: ['default', 'manual'] },
  gemini: { path: ['general', 'defaultApprovalMode'], unset: 'default', asks: ['default'] },
  qwen: { path: ['tools', 'approvalMode'], unset: 'auto', asks: ['default'] },
};

const NOTHING: Plan = { changes: [], args: [], overruled: [] };

/** Its port variable connects it; its mode is an argument, because the setting brings a question of its own. */
function claude(settings: Settings, config: Settings): Plan {
  const diffTool = config.get(['diffTool']);
  const plan = diffTool && diffTool.value !== 'auto' ? wish(config, ['diffTool'], 'auto', DIFFS) : NOTHING;
  if (showsDiffs('claude', settings)) return plan;
  return { ...plan, args: ['--permission-mode', 'manual'], argsWhy: DIFFS };
}

function wish(settings: Settings, path: readonly string[], to: unknown, why: string): Plan {
  const setting = settings.get(path);
  if (setting?.value === to) return NOTHING;
  if (setting && setting.file.scope !== 'user') return { ...NOTHING, overruled: [setting] };
  const from = setting === undefined ? {} : { from: setting.value };
  return { ...NOTHING, changes: [{ file: settings.own.path, path, ...from, to, why }] };
}

function join(plans: readonly Plan[]): Plan {
  return {
    changes: plans.flatMap((plan) => plan.changes),
    args: plans.flatMap((plan) => plan.args),
    overruled: plans.flatMap((plan) => plan.overruled),
  };
}
