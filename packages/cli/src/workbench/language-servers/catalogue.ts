/** The servers that are used where nothing else is set, and how to get them. */
interface Known {
  readonly command: readonly string[];
  readonly install: string;
}

const TYPESCRIPT: Known = {
  command: ['typescript-language-server', '--stdio'],
  install: 'npm install -g typescript-language-server typescript@5',
};
const CLANGD: Known = { command: ['clangd'], install: 'apt install clangd' };

const KNOWN: Readonly<Record<string, Known>> = {
  typescript: TYPESCRIPT,
  python: { command: ['pyright-langserver', '--stdio'], install: 'npm install -g pyright' },
  rust: { command: ['rust-analyzer'], install: 'rustup component add rust-analyzer' },
  go: { command: ['gopls'], install: 'go install golang.org/x/tools/gopls@latest' },
  c: CLANGD,
  lua: { command: ['lua-language-server'], install: 'see luals.github.io' },
};

/** What is set for the one on the right counts for the one on the left too. */
const LIKE: Readonly<Record<string, string>> = {
  typescriptreact: 'typescript',
  javascript: 'typescript',
  javascriptreact: 'javascript',
  cpp: 'c',
};

export interface Wanted {
  readonly command: readonly string[];
  /** Every language that the same server is for. */
  readonly languages: readonly string[];
  readonly install?: string;
}

type Chosen = Readonly<Record<string, readonly string[] | false>>;

export function serverFor(language: string, chosen: Chosen): Wanted | undefined {
  const command = commandFor(language, chosen);
  if (!command) return undefined;
  const others = [...Object.keys(KNOWN), ...Object.keys(LIKE), ...Object.keys(chosen)];
  const languages = [...new Set(others)].filter((each) => same(commandFor(each, chosen), command));
  const known = Object.values(KNOWN).find((each) => same(each.command, command));
  return { command, languages, ...(known ? { install: known.install } : {}) };
}

function commandFor(language: string, chosen: Chosen): readonly string[] | undefined {
  for (let each: string | undefined = language; each !== undefined; each = own(LIKE, each)) {
    const set = own(chosen, each);
    if (set === false) return undefined;
    const command = set ?? own(KNOWN, each)?.command;
    if (command) return command;
  }
  return undefined;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function same(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && a.every((word, index) => word === b[index]);
}
