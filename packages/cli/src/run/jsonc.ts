/**
 * Reads and changes JSON with comments. The agents' settings are written by people: a change touches the one value it is
 * about and leaves comments, order, indentation and unknown keys as they are. By hand, because a whole parser package
 * would be loaded for two small edits.
 */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Property extends Span {
  readonly key: string;
  readonly value: Node;
}

type Node = Span & { readonly value: unknown; readonly properties?: readonly Property[] };

/** The value; throws a `SyntaxError` that says where. */
export function parseJsonc(text: string): unknown {
  return new Parser(text).document().value;
}

/** `text` with the value at `path` set; objects on the way are made. `text` may be empty. */
export function setJsonc(text: string, path: readonly string[], value: unknown): string {
  if (text.trim() === '') return `${JSON.stringify(nest(path, value), null, 2)}\n`;
  let node = new Parser(text).document();
  for (const [depth, key] of path.entries()) {
    if (!node.properties) throw new SyntaxError(`${path.slice(0, depth).join('.') || 'it'} is not an object`);
    const property = node.properties.findLast((each) => each.key === key);
    if (!property) return insert(text, node, key, nest(path.slice(depth + 1), value));
    node = property.value;
  }
  return splice(text, node, JSON.stringify(value));
}

/** `text` without the value at `path`, and without objects that are empty because of that. */
export function unsetJsonc(text: string, path: readonly string[]): string {
  let node = new Parser(text).document();
  let cut: { owner: Node; property: Property } | undefined;
  for (const key of path) {
    const property: Property | undefined = node.properties?.findLast((each) => each.key === key);
    if (!property) return text;
    if (cut === undefined || (node.properties?.length ?? 0) > 1) cut = { owner: node, property };
    node = property.value;
  }
  return cut ? remove(text, cut.owner, cut.property) : text;
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
}

function splice(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** After the last property, laid out as its neighbours are. */
function insert(text: string, object: Node, key: string, value: unknown): string {
  const properties = object.properties ?? [];
  const last = properties.at(-1);
  const outer = indentAt(text, object.start);
  if (!last) {
    const unit = unitOf(text);
    const body = written(key, value, outer + unit, unit);
    // A comment may be all there is.
    const inside = text.slice(object.start + 1, object.end - 1).trimEnd();
    return splice(text, object, `{${inside}${newline(text)}${outer}${unit}${body}${newline(text)}${outer}}`);
  }
  const before = text.slice(object.start + 1, last.start);
  if (!/\n[ \t]*$/.test(before)) {
    return splice(text, { start: last.end, end: last.end }, `, ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  }
  const indent = indentAt(text, last.start);
  const unit = indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : unitOf(text);
  const body = written(key, value, indent, unit);
  return splice(text, { start: last.end, end: last.end }, `,${newline(text)}${indent}${body}`);
}

function written(key: string, value: unknown, indent: string, unit: string): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit)}`.replaceAll('\n', `\n${indent}`);
}

function newline(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** The white space before the first character of the line that `offset` is in. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** With the comma that joined it to its neighbour: the one before it, or after it where it was the first. */
function remove(text: string, object: Node, property: Property): string {
  const all = object.properties ?? [];
  const index = all.indexOf(property);
  const previous = all[index - 1];
  if (previous) {
    const between = text.slice(previous.end, property.start);
    const comma = previous.end + commaIn(between);
    // Comments between the two stay; the white space before the property goes with it.
    const kept = text.slice(comma + 1, property.start).trimEnd();
    return text.slice(0, comma) + kept + text.slice(property.end);
  }
  const next = all[index + 1];
  if (next) return text.slice(0, property.start) + text.slice(next.start);
  const inside = text.slice(object.start + 1, property.start).trimEnd();
  const rest = text
    .slice(property.end, object.end - 1)
    .replace(/^\s*,/, '')
    .trimEnd();
  return splice(text, object, inside + rest === '' ? '{}' : `{${inside}${rest}${newline(text)}}`);
}

/** Where the comma is, past the comments. */
function commaIn(between: string): number {
  const scanner = new Parser(between);
  scanner.blank();
  return scanner.at;
}

class Parser {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Node {
    if (this.#text.charCodeAt(0) === 0xfeff) this.at = 1;
    this.blank();
    const node = this.#value();
    this.blank();
    if (this.at < this.#text.length) this.#fail();
    return node;
  }

  /** Past white space and comments. */
  blank(): void {
    const pattern = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  #value(): Node {
    const start = this.at;
    const character = this.#text[start];
    if (character === '{') return this.#object(start);
    if (character === '[') return this.#array(start);
    const pattern = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
    pattern.lastIndex = start;
    const token = pattern.exec(this.#text)?.[0];
    if (token === undefined) this.#fail();
    this.at += token.length;
    return { start, end: this.at, value: this.#scalar(token, start) };
  }

  #scalar(token: string, start: number): unknown {
    try {
      return JSON.parse(token);
    } catch {
      this.at = start;
      this.#fail();
    }
  }

  #object(start: number): Node {
    const properties: Property[] = [];
    this.#list('}', () => {
      const key = this.#value();
      if (typeof key.value !== 'string') this.#fail();
      this.blank();
      this.#take(':');
      this.blank();
      const value = this.#value();
      properties.push({ start: key.start, end: value.end, key: key.value, value });
    });
    const value = Object.fromEntries(properties.map((each) => [each.key, each.value.value]));
    return { start, end: this.at, value, properties };
  }

  #array(start: number): Node {
    const values: unknown[] = [];
    this.#list(']', () => values.push(this.#value().value));
    return { start, end: this.at, value: values };
  }

  /** A comma before the end is let pass. */
  #list(end: string, item: () => void): void {
    this.at += 1;
    for (this.blank(); this.#text[this.at] !== end; this.blank()) {
      item();
      this.blank();
      if (this.#text[this.at] !== end) this.#take(',');
    }
    this.at += 1;
  }

  #take(character: string): void {
    if (this.#text[this.at] !== character) this.#fail();
    this.at += 1;
  }

  #fail(): never {
    const line = this.#text.slice(0, this.at).split('\n').length;
    throw new SyntaxError(`it is not JSON at line ${line}`);
  }
}
