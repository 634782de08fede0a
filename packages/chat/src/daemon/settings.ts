/** As the editor's settings spell them: `qwen-code.experimentalDaemon.*`. */
export interface DaemonSettings {
  readonly enabled?: boolean | undefined;
  /** Empty: a daemon is started for this window. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

export type DaemonChoice =
  /** The agent is a child process, as ever. */
  | { readonly use: 'acp' }
  | { readonly use: 'daemon'; readonly url: string; readonly token: string | undefined }
  | { readonly use: 'own daemon' }
  | { readonly use: 'refused'; readonly reason: string };

/** Off unless the setting or the environment says so. `secret` is what the editor's secret storage holds. */
export function resolveDaemon(
  settings: DaemonSettings,
  env: Readonly<Record<string, string | undefined>>,
  secret?: string,
): DaemonChoice {
  const fromEnvironment = env.QWEN_IDE_DAEMON_URL?.trim() || undefined;
  if (!settings.enabled && fromEnvironment === undefined) return { use: 'acp' };
  // What is set by hand for one window goes before what is set for all.
  const url = fromEnvironment ?? (settings.url?.trim() || undefined);
  if (url === undefined) return { use: 'own daemon' };
  const wrong = wrongUrl(url);
  if (wrong !== undefined) return { use: 'refused', reason: wrong };
  const token = [secret, settings.token, env.QWEN_SERVER_TOKEN].map((each) => each?.trim()).find((each) => each);
  return { use: 'daemon', url, token };
}

function wrongUrl(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'the address of the Qwen daemon is not a URL';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'the address of the Qwen daemon must be http or https';
  if (url.username !== '' || url.password !== '') return 'the address of the Qwen daemon must not hold a password';
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    return 'a Qwen daemon on another machine must be reached by https, or through a tunnel: the token would be readable on the way';
  }
  return undefined;
}
