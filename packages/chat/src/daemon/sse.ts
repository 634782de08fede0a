/** One frame of an event stream: what stands between two blank lines. */
export interface SseFrame {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

export class FrameTooLarge extends Error {}

/** Diffs carry whole files, twice. */
const MAX_FRAME = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into frames, wherever the chunks happen to end. A frame counts only with the blank line that
 * ends it: what is left when the connection drops was cut in the middle and is forgotten.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  readonly #maxFrame: number;
  /** Text without its line end so far; the parts are joined once, so a large frame costs its length only. */
  #partial: string[] = [];
  #size = 0;
  #id: string | undefined;
  #event: string | undefined;
  #data: string[] = [];

  constructor(maxFrame = MAX_FRAME) {
    this.#maxFrame = maxFrame;
  }

  *push(chunk: Uint8Array): Generator<SseFrame> {
    const text = this.#decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const frame = this.#line(this.#take(text.slice(start, end)));
      start = end + 1;
      if (frame) yield frame;
    }
    if (start < text.length) this.#keep(text.slice(start));
  }

  #keep(text: string): void {
    this.#partial.push(text);
    this.#grow(text.length);
  }

  #take(tail: string): string {
    this.#grow(tail.length);
    const line = this.#partial.length === 0 ? tail : this.#partial.join('') + tail;
    this.#partial = [];
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > this.#maxFrame) throw new FrameTooLarge(`an event is larger than ${this.#maxFrame} characters`);
  }

  #line(line: string): SseFrame | undefined {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    if (colon === 0) {
      if (this.#data.length === 0) this.#size = 0;
      return undefined; // a comment keeps the connection alive
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    else if (field === 'event') this.#event = value;
    return undefined;
  }

  #end(): SseFrame | undefined {
    const [id, event, data] = [this.#id, this.#event, this.#data];
    this.#id = undefined;
    this.#event = undefined;
    this.#data = [];
    this.#size = 0;
    if (data.length === 0) return undefined;
    return { ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }), data: data.join('\n') };
  }
}
