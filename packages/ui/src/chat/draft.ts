import { type Signal, signal } from '@preact/signals';
import { partName } from './part-name.ts';
import type { FilePart } from './protocol.ts';
import type { Memory } from './surroundings.ts';

export interface Picture {
  readonly name: string;
  readonly mimeType: string;
  readonly data: string;
}

/** What the user is about to say. The text outlives a reload. */
export class Draft {
  readonly text: Signal<string>;
  readonly attached = signal<readonly FilePart[]>([]);
  readonly pictures = signal<readonly Picture[]>([]);
  /** Files that were named with @, by the way they are written. */
  readonly named = new Map<string, string>();
  readonly #memory: Memory;
  readonly #key: string;
  readonly #tell: (text: string) => void;

  /** `kept` is what the host was told by `tell`; where it is given, it is newer than what the panel remembers. */
  constructor(chat: string, memory: Memory, kept: string | undefined, tell: (text: string) => void) {
    this.#memory = memory;
    this.#key = `chat-draft-${chat}`;
    this.#tell = tell;
    this.text = signal(kept ?? memory.get(this.#key) ?? '');
  }

  write(text: string): void {
    this.text.value = text;
    this.#memory.set(this.#key, text === '' ? undefined : text);
    this.#tell(text);
  }

  /** Once each. */
  attach(part: FilePart): void {
    const known = this.attached.peek();
    const same = (each: FilePart) => each.path === part.path && partName(each) === partName(part);
    if (!known.some(same)) this.attached.value = [...known, part];
  }

  clear(): void {
    this.write('');
    this.attached.value = [];
    this.pictures.value = [];
    this.named.clear();
  }

  forget(): void {
    this.#memory.set(this.#key, undefined);
  }
}
