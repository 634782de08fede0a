// Who is found when several companions could be. The same cases are put to packages/client and to the real agents.
import { join } from 'node:path';
import type { AgentName } from './paths.ts';

/** Companions that listen. `closed` is a port where nobody does. */
export type Letter = 'a' | 'b';

/** Where a case takes place: made up for the library, real for the agents. */
export interface Place {
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** A symbolic link to the workspace. */
  readonly alias: string;
  /** Another folder that exists, beside the workspace. */
  readonly other: string;
  /** A folder below the workspace. */
  readonly sub: string;
  readonly ports: Readonly<Record<Letter | 'closed', number>>;
  readonly pids: {
    /** What the agent takes for its editor: an ancestor. */
    readonly editor: number;
    /** Two that live and are no ancestors. */
    readonly low: number;
    readonly high: number;
    /** One that does not live, larger than all others. */
    readonly dead: number;
  };
}

export interface CaseFile {
  readonly path: string;
  readonly content: unknown;
  /** Seconds since it was written. */
  readonly age?: number;
}

export interface DiscoveryCase {
  readonly agent: AgentName;
  readonly title: string;
  files(place: Place): readonly CaseFile[];
  env?(place: Place): Readonly<Record<string, string>>;
  /** The working directory, if it is not the workspace. */
  readonly cwd?: 'sub';
  /** Who gets the first knock, and with which token; nobody if absent. */
  readonly finds?: Letter;
  /** Expected where it is not the companion's own. */
  readonly token?: string | null;
}

/** Every companion's own token, so that a knock with another one's is seen. */
export const tokenOf = (letter: Letter | 'closed'): string => `token-of-${letter}`;

const ideInfo = { name: 'editor', displayName: 'Editor' };
type Content = Readonly<Record<string, unknown>>;

function claude(place: Place, letter: Letter | 'closed', content: Content = {}, base = join(place.home, '.claude')) {
  const lock = {
    pid: place.pids.low,
    workspaceFolders: [place.workspace],
    ideName: `Editor ${letter}`,
    transport: 'ws',
    authToken: tokenOf(letter),
    ...content,
  };
  return { path: join(base, 'ide', `${place.ports[letter]}.lock`), content: lock };
}

function gemini(place: Place, letter: Letter | 'closed', pid: number, content: Content = {}): CaseFile {
  const name = `gemini-ide-server-${pid}-${place.ports[letter]}.json`;
  const file = { port: place.ports[letter], workspacePath: place.workspace, authToken: tokenOf(letter), ideInfo };
  return { path: join(place.tmp, 'gemini', 'ide', name), content: { ...file, ...content } };
}

interface Options {
  readonly age?: number;
  readonly name?: string;
  readonly home?: string;
}

function qwen(place: Place, letter: Letter | 'closed', content: Content = {}, options: Options = {}): CaseFile {
  const port = place.ports[letter];
  const { name = `${port}.lock`, home = join(place.home, '.qwen'), age = 0 } = options;
  const lock = { port, workspacePath: place.workspace, authToken: tokenOf(letter), ppid: place.pids.low, ideInfo };
  return { path: join(home, 'ide', name), content: { ...lock, ...content }, age };
}

const CLAUDE: readonly Omit<DiscoveryCase, 'agent'>[] = [
  { title: 'the only one', files: (p) => [claude(p, 'a')], finds: 'a' },
  { title: 'two that fit: none', files: (p) => [claude(p, 'a'), claude(p, 'b')] },
  {
    title: 'two that fit: the variable decides',
    files: (p) => [claude(p, 'a'), claude(p, 'b')],
    env: (p) => ({ CLAUDE_CODE_SSE_PORT: String(p.ports.b) }),
    finds: 'b',
  },
  {
    title: 'the variable names one of another folder',
    files: (p) => [claude(p, 'a'), claude(p, 'b', { workspaceFolders: [p.other] })],
    env: (p) => ({ CLAUDE_CODE_SSE_PORT: String(p.ports.b) }),
    finds: 'b',
  },
  {
    title: 'the variable names nobody: as if it were not there',
    files: (p) => [claude(p, 'a')],
    env: (p) => ({ CLAUDE_CODE_SSE_PORT: String(p.ports.closed) }),
    finds: 'a',
  },
  { title: 'another folder', files: (p) => [claude(p, 'a', { workspaceFolders: [p.other] })] },
  { title: 'a folder below: the agent is above it', files: (p) => [claude(p, 'a', { workspaceFolders: [p.sub] })] },
  { title: 'the agent is below', files: (p) => [claude(p, 'a')], cwd: 'sub', finds: 'a' },
  { title: 'a folder through a symbolic link', files: (p) => [claude(p, 'a', { workspaceFolders: [p.alias] })] },
  {
    title: 'a slash at the end, second of two folders',
    files: (p) => [claude(p, 'a', { workspaceFolders: [p.other, `${p.workspace}/`] })],
    finds: 'a',
  },
  {
    title: 'a dead process does not count',
    files: (p) => [claude(p, 'b', { pid: p.pids.dead }), claude(p, 'a')],
    finds: 'a',
  },
  { title: 'a dead port with a living process blocks', files: (p) => [claude(p, 'closed'), claude(p, 'a')] },
  {
    title: 'a dead port without a process does not count',
    files: (p) => [claude(p, 'closed', { pid: undefined }), claude(p, 'a')],
    finds: 'a',
  },
  { title: 'no process named', files: (p) => [claude(p, 'a', { pid: undefined })], finds: 'a' },
  {
    title: 'an older transport beside it blocks',
    files: (p) => [claude(p, 'b', { transport: 'sse' }), claude(p, 'a')],
  },
  {
    title: 'in the terminal of another editor',
    files: (p) => [claude(p, 'a')],
    env: () => ({ TERM_PROGRAM: 'vscode' }),
  },
  {
    title: 'in the terminal of its own editor',
    files: (p) => [claude(p, 'b'), claude(p, 'a', { pid: p.pids.editor })],
    env: () => ({ TERM_PROGRAM: 'vscode' }),
    finds: 'a',
  },
  {
    title: 'every folder counts with SKIP_VALID_CHECK',
    files: (p) => [claude(p, 'a', { workspaceFolders: [p.other] })],
    env: () => ({ CLAUDE_CODE_IDE_SKIP_VALID_CHECK: '1' }),
    finds: 'a',
  },
  {
    title: 'switched off, even with the variable',
    files: (p) => [claude(p, 'a')],
    env: (p) => ({ CLAUDE_CODE_AUTO_CONNECT_IDE: 'false', CLAUDE_CODE_SSE_PORT: String(p.ports.a) }),
  },
  {
    title: 'a configuration folder of its own: both places count',
    files: (p) => [claude(p, 'a', {}, p.other)],
    env: (p) => ({ CLAUDE_CONFIG_DIR: p.other }),
    finds: 'a',
  },
];

const GEMINI: readonly Omit<DiscoveryCase, 'agent'>[] = [
  { title: 'the only one, whatever its pid', files: (p) => [gemini(p, 'a', p.pids.dead)], finds: 'a' },
  {
    title: 'its own editor before larger pids',
    files: (p) => [gemini(p, 'a', p.pids.editor), gemini(p, 'b', p.pids.high)],
    finds: 'a',
  },
  {
    title: 'the larger pid',
    files: (p) => [gemini(p, 'a', p.pids.high), gemini(p, 'b', p.pids.low)],
    finds: 'a',
  },
  {
    title: 'the living before the dead',
    files: (p) => [gemini(p, 'a', p.pids.low), gemini(p, 'b', p.pids.dead)],
    finds: 'a',
  },
  {
    title: 'a better one of another folder is passed over',
    files: (p) => [gemini(p, 'a', p.pids.low), gemini(p, 'b', p.pids.editor, { workspacePath: p.other })],
    finds: 'a',
  },
  {
    title: 'the variable decides between those that fit',
    files: (p) => [gemini(p, 'a', p.pids.low), gemini(p, 'b', p.pids.editor)],
    env: (p) => ({ GEMINI_CLI_IDE_SERVER_PORT: String(p.ports.a) }),
    finds: 'a',
  },
  {
    title: 'another pid for the editor',
    files: (p) => [gemini(p, 'a', p.pids.low), gemini(p, 'b', p.pids.high)],
    env: (p) => ({ GEMINI_CLI_IDE_PID: String(p.pids.low) }),
    finds: 'a',
  },
  {
    title: 'the name of older versions wins',
    files: (p) => [
      gemini(p, 'b', p.pids.editor),
      { ...gemini(p, 'a', 0), path: join(p.tmp, 'gemini', 'ide', `gemini-ide-server-${p.pids.editor}.json`) },
    ],
    finds: 'a',
  },
  {
    title: 'and it wins with the wrong folder, which means nobody',
    files: (p) => [
      gemini(p, 'b', p.pids.editor),
      {
        ...gemini(p, 'a', 0, { workspacePath: p.other }),
        path: join(p.tmp, 'gemini', 'ide', `gemini-ide-server-${p.pids.editor}.json`),
      },
    ],
  },
  {
    title: 'only one is tried: a dead port of a larger pid blocks',
    files: (p) => [gemini(p, 'closed', p.pids.high), gemini(p, 'a', p.pids.low)],
  },
  {
    title: 'a folder through a symbolic link, second of two',
    files: (p) => [gemini(p, 'a', p.pids.low, { workspacePath: `${p.other}:${p.alias}` })],
    finds: 'a',
  },
  { title: 'the agent is below', files: (p) => [gemini(p, 'a', p.pids.low)], cwd: 'sub', finds: 'a' },
  { title: 'the agent is above', files: (p) => [gemini(p, 'a', p.pids.low, { workspacePath: p.sub })] },
  { title: 'no folder is open', files: (p) => [gemini(p, 'a', p.pids.low, { workspacePath: '' })] },
  {
    title: 'folder and token from the variables, where the file has none',
    files: (p) => [gemini(p, 'a', p.pids.low, { workspacePath: undefined, authToken: undefined })],
    env: (p) => ({ GEMINI_CLI_IDE_WORKSPACE_PATH: p.workspace, GEMINI_CLI_IDE_AUTH_TOKEN: 'from-the-variable' }),
    finds: 'a',
    token: 'from-the-variable',
  },
  {
    title: 'a broken file does no harm',
    files: (p) => [{ ...gemini(p, 'b', p.pids.editor), content: '{"port":' }, gemini(p, 'a', p.pids.low)],
    finds: 'a',
  },
  { title: 'an editor without a name', files: (p) => [gemini(p, 'a', p.pids.low, { ideInfo: undefined })] },
  {
    title: 'an editor without a name, in a terminal that is known',
    files: (p) => [gemini(p, 'a', p.pids.low, { ideInfo: undefined })],
    env: () => ({ TERM_PROGRAM: 'vscode' }),
    finds: 'a',
  },
  {
    title: 'variables alone, in a terminal that is known',
    files: () => [],
    env: (p) => ({
      TERM_PROGRAM: 'vscode',
      GEMINI_CLI_IDE_SERVER_PORT: String(p.ports.a),
      GEMINI_CLI_IDE_WORKSPACE_PATH: p.workspace,
      GEMINI_CLI_IDE_AUTH_TOKEN: tokenOf('a'),
    }),
    finds: 'a',
  },
  {
    title: 'variables alone, in a plain terminal',
    files: () => [],
    env: (p) => ({
      GEMINI_CLI_IDE_SERVER_PORT: String(p.ports.a),
      GEMINI_CLI_IDE_WORKSPACE_PATH: p.workspace,
      GEMINI_CLI_IDE_AUTH_TOKEN: tokenOf('a'),
    }),
  },
  {
    title: 'the file’s port is dead: the variable’s, with the file’s token',
    files: (p) => [gemini(p, 'closed', p.pids.low)],
    env: (p) => ({ GEMINI_CLI_IDE_SERVER_PORT: String(p.ports.a) }),
    finds: 'a',
    token: tokenOf('closed'),
  },
];

const QWEN: readonly Omit<DiscoveryCase, 'agent'>[] = [
  {
    title: 'the newest',
    files: (p) => [qwen(p, 'a', {}, { age: 5 }), qwen(p, 'b', {}, { age: 50 })],
    finds: 'a',
  },
  {
    title: 'the variable’s before the newest',
    files: (p) => [qwen(p, 'a', {}, { age: 50 }), qwen(p, 'b')],
    env: (p) => ({ QWEN_CODE_IDE_SERVER_PORT: String(p.ports.a) }),
    finds: 'a',
  },
  {
    title: 'the variable’s is of another folder',
    files: (p) => [qwen(p, 'a', {}, { age: 50 }), qwen(p, 'b', { workspacePath: p.other })],
    env: (p) => ({ QWEN_CODE_IDE_SERVER_PORT: String(p.ports.b) }),
    finds: 'a',
  },
  {
    title: 'the newest of another folder is passed over',
    files: (p) => [qwen(p, 'a', {}, { age: 50 }), qwen(p, 'b', { workspacePath: p.other })],
    finds: 'a',
  },
  {
    title: 'a dead process is passed over',
    files: (p) => [qwen(p, 'a', {}, { age: 50 }), qwen(p, 'b', { ppid: p.pids.dead })],
    finds: 'a',
  },
  {
    title: 'a dead port: the next one is tried, with its own token',
    files: (p) => [qwen(p, 'closed'), qwen(p, 'a', {}, { age: 50 })],
    finds: 'a',
  },
  {
    title: 'folders as a JSON list',
    files: (p) => [qwen(p, 'a', { workspacePath: JSON.stringify([p.other, p.workspace]) })],
    finds: 'a',
  },
  {
    title: 'several folders without a process are lost',
    files: (p) => [qwen(p, 'a', { workspacePath: `${p.other}:${p.workspace}`, ppid: undefined })],
  },
  { title: 'one folder without a process', files: (p) => [qwen(p, 'a', { ppid: undefined })], finds: 'a' },
  {
    title: 'a folder through a symbolic link, second of two',
    files: (p) => [qwen(p, 'a', { workspacePath: `${p.other}:${p.alias}` })],
    finds: 'a',
  },
  { title: 'the agent is below', files: (p) => [qwen(p, 'a')], cwd: 'sub', finds: 'a' },
  { title: 'the agent is above', files: (p) => [qwen(p, 'a', { workspacePath: p.sub })] },
  { title: 'no folder is open', files: (p) => [qwen(p, 'a', { workspacePath: '' })] },
  { title: 'the name need not be the port', files: (p) => [qwen(p, 'a', {}, { name: '7.lock' })], finds: 'a' },
  { title: 'but it must be a number', files: (p) => [qwen(p, 'a', {}, { name: 'editor-7.lock' })] },
  {
    title: 'a home of its own',
    files: (p) => [qwen(p, 'b'), qwen(p, 'a', {}, { home: p.other })],
    env: (p) => ({ QWEN_HOME: p.other }),
    finds: 'a',
  },
  {
    title: 'the place of older versions, with the variable, before the newest',
    files: (p) => [{ ...qwen(p, 'a'), path: join(p.tmp, `qwen-code-ide-server-${p.ports.a}.json`) }, qwen(p, 'b')],
    env: (p) => ({ QWEN_CODE_IDE_SERVER_PORT: String(p.ports.a) }),
    finds: 'a',
  },
  { title: 'an editor without a name', files: (p) => [qwen(p, 'a', { ideInfo: undefined })] },
  {
    title: 'an editor without a name, in a terminal that is known',
    files: (p) => [qwen(p, 'a', { ideInfo: undefined })],
    env: () => ({ TERM_PROGRAM: 'vscode' }),
    finds: 'a',
  },
  {
    title: 'variables alone, in a terminal that is known: without a token',
    files: () => [],
    env: (p) => ({
      TERM_PROGRAM: 'vscode',
      QWEN_CODE_IDE_SERVER_PORT: String(p.ports.a),
      QWEN_CODE_IDE_WORKSPACE_PATH: p.workspace,
    }),
    finds: 'a',
    token: null,
  },
];

const of = (agent: AgentName, cases: readonly Omit<DiscoveryCase, 'agent'>[]): DiscoveryCase[] =>
  cases.map((each) => ({ agent, ...each }));

export const DISCOVERY_CASES: readonly DiscoveryCase[] = [
  ...of('claude', CLAUDE),
  ...of('gemini', GEMINI),
  ...of('qwen', QWEN),
];
