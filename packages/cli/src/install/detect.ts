/**
 * Which editor a terminal belongs to, from its environment and from the command of the process that opened it, in the order
 * in which the agents decide it; then editors that the agents do not know.
 */
export function detectEditor(env: Readonly<Record<string, string | undefined>>, command = ''): string | undefined {
  const is = (name: string) => env[name] !== undefined && env[name] !== '';
  const runs = (pattern: RegExp) => pattern.test(command);
  if (is('ANTIGRAVITY_CLI_ALIAS')) return 'antigravity';
  if (is('CURSOR_TRACE_ID')) return 'cursor';
  if (env.TERM_PRODUCT === 'Trae') return 'trae';
  if (env.POSITRON === '1') return 'positron';
  if (env.TERM_PROGRAM === 'sublime') return 'sublime';
  if (is('ZED_SESSION_ID') || env.TERM_PROGRAM === 'Zed') return 'zed';
  if (is('XCODE_VERSION_ACTUAL')) return 'xcode';
  if (/jetbrains/i.test(env.TERMINAL_EMULATOR ?? '')) return 'jetbrains';
  if (is('NVIM')) return 'nvim';
  if (is('VIM_TERMINAL')) return 'vim';
  if (is('INSIDE_EMACS')) return 'emacs';
  if (env.TERM_PROGRAM !== 'vscode') return undefined;
  // The family shares one name for its terminals; its process tells them apart.
  const [, kind] = FAMILY.find(([pattern]) => runs(pattern) || pattern.test(env.VSCODE_GIT_ASKPASS_MAIN ?? '')) ?? [];
  return kind ?? 'vscode';
}

const FAMILY: readonly (readonly [RegExp, string])[] = [
  [/code-server/i, 'code-server'],
  [/codium/i, 'vscodium'],
  [/cursor/i, 'cursor'],
  [/windsurf/i, 'windsurf'],
  [/antigravity/i, 'antigravity'],
  [/positron/i, 'positron'],
  [/\btrae\b/i, 'trae'],
  [/code[ -]*insiders/i, 'vscode-insiders'],
];
