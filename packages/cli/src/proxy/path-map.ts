import { usage } from '../arguments.ts';

interface Rule {
  readonly remote: string;
  readonly local: string;
}

/** The same files under two names: the source's and ours. The longest matching rule counts; what none matches stays. */
export class PathMap {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** From `--map /remote=/local`, given as often as needed. */
  static parse(texts: readonly string[]): PathMap {
    return new PathMap(
      texts.map((text) => {
        const at = text.indexOf('=');
        const [remote, local] = [trimmed(text.slice(0, at)), trimmed(text.slice(at + 1))];
        if (at < 1 || !isAbsolute(remote) || !isAbsolute(local)) {
          throw usage('proxy', `--map: "${text}" is not /remote=/local`);
        }
        return { remote, local };
      }),
    );
  }

  toLocal(path: string): string {
    return this.#move(path, 'remote', 'local');
  }

  toRemote(path: string): string {
    return this.#move(path, 'local', 'remote');
  }

  #move(path: string, from: keyof Rule, to: keyof Rule): string {
    const fitting = this.#rules.filter((rule) => isBelow(path, rule[from]));
    const [rule] = fitting.sort((a, b) => b[from].length - a[from].length);
    if (!rule) return path;
    const rest = path.slice(rule[from].length).replaceAll(separatorOf(rule[from]), separatorOf(rule[to]));
    return rule[to] === '/' ? rest || '/' : rule[to] + rest;
  }
}

function isBelow(path: string, folder: string): boolean {
  const prefix = folder.endsWith(separatorOf(folder)) ? folder : folder + separatorOf(folder);
  return path === folder || path.startsWith(prefix);
}

/** The other side may be Windows. */
function separatorOf(folder: string): string {
  return /^([A-Za-z]:)?\\|^[A-Za-z]:/.test(folder) ? '\\' : '/';
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\\|^\\\\/.test(path);
}

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/[\\/]+$/, '') || '/' : path;
}
