import type { Surroundings } from '@tandem/client';
import { contains } from '@tandem/core';
import { sparingLoopback } from '../../run/environment.ts';
import type { Cause, Scene } from '../model.ts';
import { living, nameOf, real } from './common.ts';

/** Variables by which Claude Code knows that it runs in an editor's own terminal. */
const TERMINALS = ['TERM_PROGRAM', 'CURSOR_TRACE_ID', 'TERMINAL_EMULATOR', 'FORCE_CODE_TERMINAL'] as const;

/** What this terminal brings with it. */
export const environmentCauses: readonly Cause[] = [
  ({ agent, discovery, around, namedPort }) => {
    if (!namedPort?.answers) return [];
    const named = discovery.candidates.find((each) => each.port === namedPort.port);
    if (!named || contains(named.folders.map(real), real(around.cwd))) return [];
    const isChosen = discovery.chosen === named;
    return [
      {
        id: 'variables-inherited',
        severity: isChosen ? 'error' : 'warning',
        evidence: `${agent.portVariable}=${namedPort.port} came with this terminal and leads to ${nameOf(named)}, which has ${named.folders.join(', ')} open${isChosen ? '; that is the wrong window' : ''}`,
        remedy: `unset ${agent.portVariable}, or tandem run ${agent.id}`,
      },
    ];
  },
  (scene) => {
    const { agent, discovery, around } = scene;
    if (agent.id !== 'claude' || discovery.chosen) return [];
    const given = TERMINALS.filter((name) => around.env[name] !== undefined);
    if (given.length === 0) return [];
    // The same rules again without them: whoever fits now was refused because of them.
    const freed = agent.discover({ ...around, env: without(around.env, given) }).candidates;
    const lost = living(scene).find(
      ({ file, refused }) => refused !== undefined && freed.some((each) => each.file === file && !each.refused),
    );
    if (!lost) return [];
    return [
      {
        id: 'terminal-of-another-editor',
        severity: 'error',
        evidence: `this is the terminal of another editor (${given.map((name) => `${name}=${around.env[name]}`).join(', ')}); there Claude Code passes over ${nameOf(lost)}, whose process ${lost.pid ?? ''} did not start it`,
        remedy: 'tandem run claude, or eval "$(tandem env claude)" in this terminal',
      },
    ];
  },
  ({ around, agent }) => {
    const proxy = (['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'] as const).find((name) => around.env[name]);
    const spared = sparingLoopback(around.env);
    const spares = around.env.no_proxy === spared.no_proxy || around.env.NO_PROXY === spared.NO_PROXY;
    const has = [around.env.no_proxy, around.env.NO_PROXY].some((list) =>
      /(^|,)\s*(127\.0\.0\.1|\*|127\.0\.0\.0\/8)\s*(,|$)/.test(list ?? ''),
    );
    if (!proxy || spares || has) return [];
    return [
      {
        id: 'proxy-catches-loopback',
        severity: 'warning',
        evidence: `${proxy} is set and no_proxy does not spare 127.0.0.1; ${agent.name} ${agent.tested} spares it by itself, other versions and tools do not`,
        remedy: 'export no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost; tandem run does so',
      },
    ];
  },
  ({ around, agent }) => {
    const host = around.env.CLAUDE_CODE_IDE_HOST_OVERRIDE;
    if (agent.id !== 'claude' || !host || ['127.0.0.1', 'localhost', '::1'].includes(host)) return [];
    return [
      {
        id: 'host-override',
        severity: 'error',
        evidence: `CLAUDE_CODE_IDE_HOST_OVERRIDE=${host}: Claude Code looks for every companion on that machine`,
        remedy: 'unset CLAUDE_CODE_IDE_HOST_OVERRIDE, unless the editor really runs there',
      },
    ];
  },
  ({ isContainer, around: { env }, agent }) => {
    const isToldSo = env.SSH_CONNECTION || env.REMOTE_CONTAINERS || env.VSCODE_REMOTE_CONTAINERS_SESSION;
    if (agent.id !== 'gemini' || !isContainer || isToldSo) return [];
    return [
      {
        id: 'container-without-bridge',
        severity: 'error',
        evidence:
          'this is a container, so Gemini CLI looks for every companion on host.docker.internal instead of here',
        remedy:
          'tandem run gemini, or export VSCODE_REMOTE_CONTAINERS_SESSION=1, where the companion runs in the container too',
      },
    ];
  },
  (scene) => {
    const { isWsl, discovery, agent } = scene;
    if (!isWsl || discovery.chosen) return [];
    return [
      {
        id: 'wsl-without-bridge',
        severity: agent.id === 'claude' ? 'note' : 'warning',
        evidence: `this is WSL${scene.around.env.WSL_DISTRO_NAME ? ` (${scene.around.env.WSL_DISTRO_NAME})` : ''}: an editor on the Windows side publishes itself where ${agent.name} does not look`,
        remedy: `open the folder with the editor's WSL remote, or tandem run ${agent.id} here`,
      },
    ];
  },
  ({ hasPs, agent }) => {
    if (hasPs || agent.id === 'claude') return [];
    return [
      {
        id: 'ps-missing',
        severity: 'warning',
        evidence: `there is no "ps" on the PATH, with which ${agent.name} looks for the editor that started it`,
        remedy: 'install procps, or tandem run, which names the process',
      },
    ];
  },
];

function without(env: Surroundings['env'], names: readonly string[]): Scene['around']['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
