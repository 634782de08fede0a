const HEADER_END = Buffer.from('\r\n\r\n');
const MAX_HEADER = 4096;

export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Cuts a stream into the messages of the base protocol. Throws on what is none: there is no way to find the next one. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #wanted: number | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *read(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      this.#wanted ??= this.#header();
      if (this.#wanted === undefined || this.#size < this.#wanted) return;
      const body = this.#take(this.#wanted);
      this.#wanted = undefined;
      yield JSON.parse(body.toString('utf8'));
    }
  }

  #header(): number | undefined {
    const bytes = this.#whole();
    const end = bytes.indexOf(HEADER_END);
    if (end > MAX_HEADER || (end < 0 && bytes.length > MAX_HEADER)) throw new Error('a header that does not end');
    if (end < 0) return undefined;
    const header = this.#take(end + HEADER_END.length).toString('latin1');
    const length = Number(/^content-length: *(\d{1,12})\r$/im.exec(header)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error('a header without Content-Length');
    if (length > this.#maxBytes) throw new Error(`a message of ${length} bytes`);
    return length;
  }

  #take(bytes: number): Buffer {
    const whole = this.#whole();
    this.#chunks.length = 0;
    this.#chunks.push(whole.subarray(bytes));
    this.#size -= bytes;
    return whole.subarray(0, bytes);
  }

  /** Put together only when it is looked at, so that a long message in many chunks is copied once. */
  #whole(): Buffer {
    const whole = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks.length = 0;
    this.#chunks.push(whole);
    return whole;
  }
}
