import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LedgerEntry, requireTextFile, textAt } from '@tandem/core';
import type { PromptDraft } from './commands.ts';
import { ChatError, type ConnectionCapabilities, type PromptBlock } from './connection.ts';
import { type EditorContext, writeContext } from './context-text.ts';
import type { LineSpan } from './events.ts';
import type { ChatHouse, ChatIdentity } from './house.ts';

/** A buffer larger than this is named, not sent along unasked. */
const MAX_UNSAVED = 200_000;

type Note = Pick<LedgerEntry, 'what' | 'paths' | 'text'>;
interface Part {
  readonly block: PromptBlock;
  readonly note?: Note;
}

export interface BuiltPrompt {
  readonly blocks: readonly PromptBlock[];
  /** The agent has it: it goes into the ledger, and is not sent again while it stays the same. */
  sent(): void;
}

/** Makes a prompt of what the user wrote and what may go along with it. */
export class PromptBuilder {
  readonly #house: ChatHouse;
  readonly #identity: ChatIdentity;
  readonly #can: () => ConnectionCapabilities;
  /** The context that the agent knows already. */
  #known = '';

  constructor(house: ChatHouse, identity: ChatIdentity, can: () => ConnectionCapabilities) {
    this.#house = house;
    this.#identity = identity;
    this.#can = can;
  }

  /** Another session knows nothing yet. */
  forget(): void {
    this.#known = '';
  }

  async build(draft: PromptDraft): Promise<BuiltPrompt> {
    const images = draft.images ?? [];
    if (images.length > 0 && !this.#can().images) throw new ChatError('unsupported', 'this agent takes no images');
    const parts: Part[] = draft.text === '' ? [] : [{ block: { type: 'text', text: draft.text } }];
    parts.push(...images.map((image) => ({ block: { type: 'image', ...image } as const })));
    for (const mention of draft.mentions ?? []) parts.push(await this.#mention(mention));
    if (parts.length === 0) throw new ChatError('refused', 'there is nothing to say');
    const mentioned = (draft.mentions ?? []).map(({ path }) => path);
    const context = draft.context === false ? [] : await this.#context(mentioned);
    const print = JSON.stringify(context.map(({ block }) => block));
    const news = print !== this.#known;
    const all = news ? [...parts, ...context] : parts;
    return {
      blocks: all.map(({ block }) => block),
      sent: () => {
        this.#known = print;
        const { id: link, agent } = this.#identity;
        for (const { note } of all) if (note) this.#house.ledger.note({ link, agent, ...note });
      },
    };
  }

  async #mention({ path, lines }: { path: string; lines?: LineSpan }): Promise<Part> {
    const { policy, editor } = this.#house;
    if (!policy.allowsSending(path)) {
      const why = policy.sharing === 'off' ? 'sharing is off' : 'it is on the deny list';
      throw new ChatError('refused', `${path} is not sent: ${why}`);
    }
    const unsaved = await editor.unsavedText(path);
    const note = (text: string): Note => ({ what: 'mention', paths: [path], text });
    if (unsaved === undefined && !lines) {
      const link = { type: 'resource_link', uri: pathToFileURL(path).href, name: basename(path) } as const;
      return { block: link, note: note('') };
    }
    const text = unsaved ?? (await requireTextFile(path).catch(refuse));
    const part = lines ? linesOf(text, lines) : text;
    return { block: this.#embed(path, part, lines), note: note(part) };
  }

  /** What the user looks at, as far as the policy lets it go. */
  async #context(mentioned: readonly string[]): Promise<Part[]> {
    const { active } = this.#house.context();
    if (!active || mentioned.includes(active.path)) return [];
    const { path, dirty } = active;
    const [selection] = active.selections;
    const selected = selection && selection.text !== '' ? selection : undefined;
    const lines = selected && { start: selected.start.line, end: selected.end.line };
    const context: EditorContext = {
      path,
      unsaved: dirty,
      ...(selected && lines ? { selection: { lines, text: selected.text } } : {}),
    };
    const text = selected?.text ?? '';
    const block = { type: 'text', text: writeContext(context) } as const;
    const parts: Part[] = [{ block, note: { what: selected ? 'selection' : 'context', paths: [path], text } }];
    const unsaved = dirty ? await this.#house.editor.unsavedText(path) : undefined;
    if (unsaved !== undefined && unsaved.length <= MAX_UNSAVED) {
      parts.push({ block: this.#embed(path, unsaved), note: { what: 'document', paths: [path], text: unsaved } });
    }
    return parts;
  }

  #embed(path: string, text: string, lines?: LineSpan): PromptBlock {
    return embed(this.#can(), path, text, lines);
  }
}

/** A text as a part of the prompt that a panel shows by its name alone, where the agent takes such. */
export function embed(can: ConnectionCapabilities, path: string, text: string, lines?: LineSpan): PromptBlock {
  const uri = `${pathToFileURL(path).href}${lines ? `#L${lines.start + 1}-${lines.end + 1}` : ''}`;
  if (can.embedded) return { type: 'resource', resource: { uri, text, mimeType: 'text/plain' } };
  return { type: 'text', text: `${uri}\n\n${text}` };
}

function linesOf(text: string, { start, end }: LineSpan): string {
  const range = { start: { line: start, character: 0 }, end: { line: end, character: Number.MAX_SAFE_INTEGER } };
  return textAt(text, range).text;
}

function refuse(error: Error): never {
  throw new ChatError('refused', error.message);
}
