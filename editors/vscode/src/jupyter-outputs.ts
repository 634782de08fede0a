import type { CodeOutput } from '@tandem/core';

export interface JupyterOutput {
  readonly items: readonly { readonly mime: string; readonly data: Uint8Array }[];
}

const ERROR = 'application/vnd.code.notebook.error';
const STREAMS = ['application/vnd.code.notebook.stdout', 'application/vnd.code.notebook.stderr'];
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** The same thing comes in several forms; the first that can be told is taken. */
const TEXTS = ['text/markdown', 'text/plain', 'application/json'];

/** What a notebook would show, as an agent can take it. Neighbouring pieces of text become one. */
export function translateOutputs(outputs: readonly JupyterOutput[]): readonly CodeOutput[] {
  const told: CodeOutput[] = [];
  for (const output of outputs) {
    for (const piece of translate(output)) {
      const last = told.at(-1);
      if (piece.type === 'text' && last?.type === 'text')
        told.splice(-1, 1, { type: 'text', text: last.text + piece.text });
      else told.push(piece);
    }
  }
  return told;
}

function translate({ items }: JupyterOutput): CodeOutput[] {
  const text = (data: Uint8Array) => Buffer.from(data).toString('utf8');
  const error = items.find(({ mime }) => mime === ERROR);
  if (error) return [{ type: 'error', text: errorText(text(error.data)) }];
  const streams = items.filter(({ mime }) => STREAMS.includes(mime));
  if (streams.length > 0) return streams.map(({ data }) => ({ type: 'text', text: text(data) }));
  const image = items.find(({ mime }) => IMAGES.includes(mime));
  if (image) return [{ type: 'image', mimeType: image.mime, data: Buffer.from(image.data).toString('base64') }];
  const best = TEXTS.map((wanted) => items.find(({ mime }) => mime === wanted)).find((item) => item !== undefined);
  return best ? [{ type: 'text', text: text(best.data) }] : [];
}

/** A JSON of name, message and stack; the stack has the colours of a terminal. */
function errorText(json: string): string {
  try {
    const { name, message, stack } = JSON.parse(json) as Partial<Record<'name' | 'message' | 'stack', string>>;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
    return (stack ?? `${name}: ${message}`).replaceAll(/\u001b\[[0-9;]*m/g, '');
  } catch {
    return json;
  }
}
