import { stripVTControlCharacters } from 'node:util';
import type { CodeOutput } from '../editor/port.ts';
import type { OutputEvent } from './bridge.ts';

export interface OutputLimits {
  /** All text of one call. */
  readonly textCharacters: number;
  readonly images: number;
  /** One image, as base64. */
  readonly imageCharacters: number;
}

interface Piece {
  output: CodeOutput;
  /** Stands on lines of its own, unlike what a stream goes on with. */
  readonly alone: boolean;
  readonly display: string | undefined;
}

/** A traceback is kept even if the text before it filled the bound; its end says most. */
const ERROR_CHARACTERS = 64 * 1024;

/** Collects what one call puts out, in order and within bounds. */
export class Outputs {
  readonly #limits: OutputLimits;
  #pieces: Piece[] = [];
  #clearNext = false;
  #characters = 0;
  #cutCharacters = 0;
  #images = 0;
  #cutImages = 0;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  take(event: OutputEvent): void {
    if (event.event === 'clear') {
      if (event.wait) this.#clearNext = true;
      else this.#clear();
      return;
    }
    if (this.#clearNext) this.#clear();
    if (event.event === 'error') this.error(event.text);
    else if (event.event === 'image') this.#image(event);
    else this.#text(event);
  }

  /** Something that we say ourselves. */
  note(text: string): void {
    this.#pieces.push({ output: { type: 'text', text }, alone: true, display: undefined });
  }

  error(text: string): void {
    const plain = stripVTControlCharacters(text).slice(-ERROR_CHARACTERS);
    this.#pieces.push({ output: { type: 'error', text: plain }, alone: true, display: undefined });
  }

  /** Neighbouring texts become one; at the end stands what was cut. */
  finish(): CodeOutput[] {
    const cut: string[] = [];
    if (this.#cutCharacters > 0) cut.push(`${this.#cutCharacters} more characters`);
    if (this.#cutImages > 0) cut.push(`${this.#cutImages} more image${this.#cutImages === 1 ? '' : 's'}`);
    if (cut.length > 0) this.note(`[${cut.join(' and ')} of output were cut]`);
    const outputs: CodeOutput[] = [];
    let open: string | undefined;
    const flush = () => {
      const text = open === undefined ? '' : plain(open);
      if (text !== '') outputs.push({ type: 'text', text });
      open = undefined;
    };
    for (const { output, alone } of this.#pieces) {
      if (output.type !== 'text') {
        flush();
        outputs.push(output);
      } else if (open === undefined) open = alone ? `${output.text}\n` : output.text;
      else open += `${alone && !open.endsWith('\n') ? '\n' : ''}${output.text}${alone ? '\n' : ''}`;
    }
    flush();
    return outputs;
  }

  #text(event: Extract<OutputEvent, { event: 'text' }>): void {
    const room = Math.max(0, this.#limits.textCharacters - this.#characters);
    const text = event.text.slice(0, room);
    this.#characters += text.length;
    this.#cutCharacters += event.cut + event.text.length - text.length;
    if (text !== '') this.#put({ type: 'text', text }, event, event.alone === true);
  }

  #image(event: Extract<OutputEvent, { event: 'image' }>): void {
    const { data, mimeType } = event;
    if (data === undefined) {
      const most = this.#limits.imageCharacters;
      const text = `[an image of ${event.cut} characters was left out; ${most} is the most]`;
      this.#put({ type: 'text', text }, event, true);
    } else if (this.#images >= this.#limits.images && !this.#shown(event)) this.#cutImages += 1;
    else this.#put({ type: 'image', mimeType, data }, event, true);
  }

  #put(output: CodeOutput, event: { display?: string; update?: boolean }, alone: boolean): void {
    const shown = this.#shown(event);
    if (output.type === 'image') this.#images += 1;
    if (shown) {
      this.#forget(shown.output);
      shown.output = output;
    } else this.#pieces.push({ output, alone, display: event.display });
  }

  /** What an update replaces. */
  #shown(event: { display?: string; update?: boolean }): Piece | undefined {
    return event.update ? this.#pieces.find((piece) => piece.display === event.display) : undefined;
  }

  #forget(output: CodeOutput): void {
    if (output.type === 'image') this.#images -= 1;
    else this.#characters -= output.text.length;
  }

  #clear(): void {
    this.#clearNext = false;
    this.#pieces = [];
    this.#characters = 0;
    this.#cutCharacters = 0;
    this.#images = 0;
    this.#cutImages = 0;
  }
}

/** As a terminal would show it, without colours: of a line that was written over, what came last. */
function plain(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => {
      const end = line.endsWith('\r') ? line.slice(0, -1) : line;
      return end.slice(end.lastIndexOf('\r') + 1);
    });
  if (lines.at(-1) === '') lines.pop();
  return lines.join('\n');
}
