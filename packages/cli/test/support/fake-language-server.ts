/**
 * A language server that does as its first argument says. It finds every line with BAD wrong, and writes what it hears
 * to the file in FAKE_LOG.
 */
import { appendFileSync } from 'node:fs';
import { FrameReader, frame } from '../../src/workbench/language-servers/framing.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly textDocument?: { readonly uri: string; readonly version?: number; readonly text?: string };
    readonly contentChanges?: readonly { readonly range?: Range; readonly text: string }[];
  };
}
interface Range {
  readonly start: { line: number; character: number };
  readonly end: { line: number; character: number };
}

const [mode = 'good'] = process.argv.slice(2);
const texts = new Map<string, string>();
const log = (event: object) => appendFileSync(process.env.FAKE_LOG ?? '/dev/null', `${JSON.stringify(event)}\n`);
const send = (message: object): void => {
  process.stdout.write(frame({ jsonrpc: '2.0', ...message }));
};

log({ started: process.pid });
if (mode === 'crash-at-once') die('it cannot work like this');
if (mode === 'garbage') process.stdout.write('this is not a message\r\n\r\n');
if (mode === 'huge') process.stdout.write('Content-Length: 99999999999\r\n\r\n');
if (mode === 'stubborn') process.on('SIGTERM', () => {});

const reader = new FrameReader(64 * 1024 * 1024);
process.stdin.on('data', (chunk: Buffer) => {
  for (const message of reader.read(chunk)) hear(message as Message);
});
process.stdin.on('end', () => mode !== 'stubborn' && process.exit(0));
if (mode === 'stubborn') setInterval(() => {}, 1000);

function hear({ id, method, params }: Message): void {
  log({ method, params });
  const { uri = '', version, text } = params?.textDocument ?? {};
  if (method === 'initialize')
    return send({ id, result: { capabilities: { textDocumentSync: 2, hoverProvider: true } } });
  if (method === 'shutdown') return mode === 'stubborn' ? undefined : send({ id, result: null });
  if (method === 'exit') return mode === 'stubborn' ? undefined : process.exit(0);
  if (method === 'textDocument/hover')
    return mode === 'slow' ? undefined : send({ id, result: { contents: 'hovered' } });
  if (method === 'textDocument/didOpen') texts.set(uri, text ?? '');
  else if (method === 'textDocument/didChange') {
    for (const change of params?.contentChanges ?? []) texts.set(uri, changed(texts.get(uri) ?? '', change));
  } else if (method === 'textDocument/didClose') return publish(uri, undefined, '');
  else return;
  if (mode === 'crash-on-bad' && texts.get(uri)?.includes('CRASH')) die('\u001b[31mfatal: out of luck\u001b[0m');
  if (mode === 'stages') publish(uri, version, '');
  if (mode === 'stale') publish(uri, (version ?? 1) - 1, 'BAD');
  setTimeout(() => publish(uri, version, texts.get(uri) ?? ''), mode === 'stages' ? 200 : 0);
}

function publish(uri: string, version: number | undefined, text: string): void {
  const diagnostics = text.split('\n').flatMap((line, number) => {
    const character = line.indexOf('BAD');
    const range = { start: { line: number, character }, end: { line: number, character: character + 3 } };
    return character < 0 ? [] : [{ range, severity: 2, message: 'this is bad', source: 'fake', code: 7 }];
  });
  send({ method: 'textDocument/publishDiagnostics', params: { uri, version, diagnostics } });
}

function changed(text: string, change: { range?: Range; text: string }): string {
  if (!change.range) return change.text;
  const lines = text.split('\n');
  const at = ({ line, character }: Range['start']) =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  return text.slice(0, at(change.range.start)) + change.text + text.slice(at(change.range.end));
}

function die(lastWords: string): never {
  process.stderr.write(`some noise\n${lastWords}\n`);
  process.exit(3);
}
