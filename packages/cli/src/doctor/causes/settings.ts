import { make } from '../../run/change.ts';
import type { Setting } from '../../run/settings.ts';
import { approvalMode, type Change, planFor, showsDiffs } from '../../run/switches.ts';
import type { Cause, Fix, Scene } from '../model.ts';

/** The agent's own switches. */
export const settingsCauses: readonly Cause[] = [
  ({ settings, agent }) =>
    [...new Set([...settings.settings.files, ...settings.config.files])]
      .filter((file) => file.error !== undefined)
      .map((file) => ({
        id: 'settings-broken',
        severity: 'error',
        evidence: `${agent.name} cannot read ${file.path}: ${file.error}`,
        remedy: 'repair the file; until then its settings do not count',
      })),
  (scene) => {
    const { agent, settings } = scene;
    if (agent.id === 'claude') return [];
    const enabled = settings.settings.get(['ide', 'enabled']);
    if (enabled?.value === true) return [];
    if (enabled && enabled.file.scope !== 'user' && ownSays(scene, ['ide', 'enabled']) === true) {
      return [
        {
          id: 'ide-mode-overruled',
          severity: 'error',
          evidence: `ide.enabled is on in your own settings and off in ${enabled.file.path}, which wins`,
          remedy: `take it out of ${enabled.file.path}`,
        },
      ];
    }
    return [
      {
        id: 'ide-mode-off',
        severity: 'error',
        evidence: `ide.enabled is ${enabled ? `${enabled.value} in ${enabled.file.path}` : `not set in ${settings.settings.own.path}`}`,
        remedy: `type /ide enable in ${agent.name} once, or let tandem run ${agent.id} ask`,
        ...withFix(scene, 'ide.enabled'),
      },
    ];
  },
  (scene) => {
    const { agent, settings, discovery } = scene;
    if (agent.id === 'claude' || !discovery.chosen?.ide) return [];
    const said = (name: string) => settings.settings.get(['ide', name])?.value === true;
    if (said('enabled') || said('hasSeenNudge')) return [];
    return [
      {
        id: 'nudge-pending',
        severity: 'warning',
        evidence: `${agent.name} will ask "connect ${discovery.chosen.ide.displayName}?"; a yes tries to install an extension that does not exist and leaves IDE mode off`,
        remedy: `answer no and type /ide enable, or let tandem run ${agent.id} ask`,
        ...withFix(scene, 'ide.hasSeenNudge'),
      },
    ];
  },
  (scene) => {
    const { agent, settings } = scene;
    if (showsDiffs(agent.id, settings.settings)) return [];
    const { mode, setting } = approvalMode(agent.id, settings.settings);
    const flag = agent.id === 'claude' ? '--permission-mode manual' : '--approval-mode default';
    return [
      {
        id: 'approval-mode',
        severity: 'warning',
        evidence: `its approval mode is "${mode}" (${where(setting)}): edits are applied without a diff`,
        remedy: `${agent.command} ${flag}, or let tandem run ${agent.id} ask`,
        ...withFix(scene, APPROVAL_SETTING[agent.id]),
      },
    ];
  },
  ({ agent, settings }) => {
    if (agent.id !== 'claude') return [];
    const tool = settings.config.get(['diffTool']);
    if (tool === undefined || tool.value === 'auto') return [];
    return [
      {
        id: 'diff-tool-terminal',
        severity: 'warning',
        evidence: `diffTool is "${tool.value}" in ${tool.file.path}: edits are shown in the terminal only`,
        remedy: 'set it to "auto" with /config in Claude Code',
        fix: changing({ file: tool.file.path, path: ['diffTool'], from: tool.value, to: 'auto', why: '' }),
      },
    ];
  },
  ({ agent, settings, around }) => {
    if (agent.id !== 'claude') return [];
    const { env } = around;
    const forced = env.CLAUDE_CODE_AUTO_CONNECT_IDE?.toLowerCase().trim();
    if (['0', 'false', 'no', 'off'].includes(forced ?? '')) {
      return [
        {
          id: 'auto-connect-forbidden',
          severity: 'error',
          evidence: `CLAUDE_CODE_AUTO_CONNECT_IDE=${env.CLAUDE_CODE_AUTO_CONNECT_IDE} in this terminal switches every automatic connection off`,
          remedy: 'unset CLAUDE_CODE_AUTO_CONNECT_IDE; tandem run claude does so',
        },
      ];
    }
    const automatic = forced || env.CLAUDE_CODE_SSE_PORT || isEditorTerminal(env);
    const setting = settings.config.get(['autoConnectIde']);
    if (automatic || setting?.value === true) return [];
    const { path } = settings.config.own;
    return [
      {
        id: 'auto-connect-off',
        severity: 'error',
        evidence: `autoConnectIde is ${setting ? 'off' : 'not set'} in ${path}, and no variable names a companion`,
        remedy: 'tandem run claude, or claude --ide, or /config and Auto-connect to IDE',
        fix: changing({
          file: path,
          path: ['autoConnectIde'],
          ...(setting ? { from: setting.value } : {}),
          to: true,
          why: '',
        }),
      },
    ];
  },
];

/** Claude Code is told by an argument. */
const APPROVAL_SETTING = { claude: '', gemini: 'general.defaultApprovalMode', qwen: 'tools.approvalMode' } as const;

function ownSays({ settings }: Scene, path: readonly string[]): unknown {
  let value = settings.settings.own.value as Record<string, unknown> | undefined;
  for (const key of path) value = value?.[key] as Record<string, unknown> | undefined;
  return value;
}

function where(setting: Setting | undefined): string {
  return setting?.file.path ?? 'the default';
}

function isEditorTerminal(env: Scene['around']['env']): boolean {
  return (
    env.TERM_PROGRAM === 'vscode' || env.CURSOR_TRACE_ID !== undefined || env.TERMINAL_EMULATOR === 'JetBrains-JediTerm'
  );
}

/** The change that `tandem run` would offer for this setting. */
function withFix({ agent, settings }: Scene, name: string): { fix?: Fix } {
  const change = planFor(agent.id, settings).changes.find(({ path }) => path.join('.') === name);
  return change ? { fix: changing(change) } : {};
}

function changing(change: Change): Fix {
  const what = `set ${change.path.join('.')} to ${JSON.stringify(change.to)} in ${change.file}`;
  return { what, ours: false, apply: () => void make(change) };
}
