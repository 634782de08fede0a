import { computed, signal } from '@preact/signals';
import type { LanguageServerItem, Problem, Tell } from '../protocol.ts';
import type { Connection } from './connection.ts';

type ProblemTell = Extract<Tell, { tell: 'diagnostics' | 'language-servers' }>;

export interface References {
  readonly word: string;
  readonly places: readonly { readonly path: string; readonly range: Problem['range'] }[];
}

const NONE: readonly Problem[] = [];
const RANK: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, info: 2, hint: 3 };

/** What the language servers say. */
export class Problems {
  readonly files = signal<ReadonlyMap<string, readonly Problem[]>>(new Map());
  readonly servers = signal<readonly LanguageServerItem[]>([]);
  /** Where the word that was asked for last is used. */
  readonly references = signal<References | undefined>(undefined);
  readonly errors = computed(() => this.#count('error'));
  readonly warnings = computed(() => this.#count('warning'));
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Everything up to now, after the connection came up. */
  async fetch(): Promise<void> {
    const all = await this.#connection.ask('problems', {}).catch(() => undefined);
    if (!all) return;
    this.files.value = new Map(all.files.map(({ path, problems }) => [path, sorted(problems)]));
    this.servers.value = all.servers;
  }

  hear(message: ProblemTell): void {
    if (message.tell === 'language-servers') {
      this.servers.value = message.servers;
      return;
    }
    const files = new Map(this.files.value);
    if (message.problems.length > 0) files.set(message.path, sorted(message.problems));
    else files.delete(message.path);
    this.files.value = files;
  }

  of(path: string): readonly Problem[] {
    return this.files.value.get(path) ?? NONE;
  }

  /** The server that is there for a document, or should be. */
  serverFor(path: string, language: string): LanguageServerItem | undefined {
    return this.servers.value.find(
      (server) => server.languages.includes(language) && path.startsWith(`${server.folder}/`),
    );
  }

  #count(severity: Problem['severity']): number {
    let count = 0;
    for (const problems of this.files.value.values()) {
      count += problems.filter((problem) => problem.severity === severity).length;
    }
    return count;
  }
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  const order = (a: Problem, b: Problem) =>
    RANK[a.severity] - RANK[b.severity] || a.range.start.line - b.range.start.line;
  return [...problems].sort(order);
}
