import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: it takes whatever comes
type Message = any;

export interface ForeignOptions {
  readonly home: string;
  readonly folders: readonly string[];
  readonly tools?: readonly string[];
  readonly name?: string;
  readonly pid?: number;
}

interface WaitingDiff {
  readonly path: string;
  readonly text: string;
  readonly tab: string;
  readonly answer: (texts: readonly string[]) => void;
}

const ALL = [
  'openDiff',
  'close_tab',
  'closeAllDiffTabs',
  'getOpenEditors',
  'getDiagnostics',
  'getWorkspaceFolders',
  'openFile',
  'saveDocument',
];

/** A companion as another would write it for Claude Code alone: by hand, none of our code, no more than the protocol needs. */
export class ForeignCompanion {
  readonly token = `foreign-${Math.random()}`;
  readonly diffs: WaitingDiff[] = [];
  readonly opened: Message[] = [];
  readonly saved: string[] = [];
  /** Every tool it was asked for. */
  readonly calls: string[] = [];
  tabs: { path: string; active?: boolean; dirty?: boolean }[] = [];
  diagnostics: Message[] = [];
  readonly #options: ForeignOptions;
  #server: Server | undefined;
  #sockets: WebSocketServer | undefined;
  #lock = '';

  constructor(options: ForeignOptions) {
    this.#options = options;
  }

  get port(): number {
    return (this.#server?.address() as AddressInfo | null)?.port ?? 0;
  }

  get lock(): string {
    return this.#lock;
  }

  get clients(): number {
    return this.#sockets?.clients.size ?? 0;
  }

  async start(port = 0): Promise<this> {
    const server = createServer();
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'mcp' });
    server.on('upgrade', (request, socket, head) => {
      if (request.headers['x-claude-code-ide-authorization'] !== this.token) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (client) => this.#serve(client));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#server = server;
    this.#sockets = sockets;
    const { home, folders, name = 'Foreign Editor', pid = process.pid } = this.#options;
    this.#lock = join(home, '.claude', 'ide', `${this.port}.lock`);
    mkdirSync(dirname(this.#lock), { recursive: true });
    const content = { pid, workspaceFolders: folders, ideName: name, transport: 'ws', authToken: this.token };
    writeFileSync(this.#lock, JSON.stringify(content));
    return this;
  }

  async stop(): Promise<void> {
    rmSync(this.#lock, { force: true });
    this.diffs.length = 0;
    for (const socket of this.#sockets?.clients ?? []) socket.terminate();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    this.#server = undefined;
  }

  // What its user does.

  select(path: string, text: string, start: object, end: object): void {
    const params = { text, filePath: path, fileUrl: `file://${path}`, selection: { start, end, isEmpty: text === '' } };
    for (const socket of this.#sockets?.clients ?? []) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'selection_changed', params }));
    }
  }

  accept(path: string, text?: string): void {
    const diff = this.#take(path);
    diff.answer(['FILE_SAVED', text ?? diff.text]);
  }

  reject(path: string): void {
    this.#take(path).answer(['DIFF_REJECTED', 'tab']);
  }

  #take(path: string): WaitingDiff {
    const index = this.diffs.findIndex((diff) => diff.path === path);
    const [diff] = index < 0 ? [] : this.diffs.splice(index, 1);
    if (!diff) throw new Error(`no diff of ${path} is shown: ${this.diffs.map((each) => each.path).join(', ')}`);
    return diff;
  }

  #serve(socket: WebSocket): void {
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(data.toString());
      const reply = (result: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (id === undefined) return;
      if (method === 'initialize') {
        const serverInfo = { name: 'foreign', version: '1' };
        reply({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
      } else if (method === 'tools/list') {
        const tools = this.#options.tools ?? ALL;
        reply({ tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) });
      } else if (method === 'tools/call') {
        this.calls.push(params.name);
        this.#call(params.name, params.arguments ?? {}, (texts) => {
          reply({ content: texts.map((text) => ({ type: 'text', text })) });
        });
      } else reply({});
    });
    socket.on('close', () => {
      this.diffs.length = 0;
    });
  }

  #call(tool: string, input: Message, answer: WaitingDiff['answer']): void {
    switch (tool) {
      case 'openDiff': {
        const { new_file_path: path, new_file_contents: text, tab_name: tab } = input;
        this.diffs.push({ path, text, tab, answer });
        return;
      }
      case 'close_tab': {
        const index = this.diffs.findIndex((diff) => diff.tab === input.tab_name);
        if (index >= 0) this.diffs.splice(index, 1);
        return answer(['TAB_CLOSED']);
      }
      case 'getOpenEditors':
        return answer([
          JSON.stringify({
            tabs: this.tabs.map(({ path, active = false, dirty = false }) => ({
              uri: `file://${path}`,
              isActive: active,
              isDirty: dirty,
              label: path,
              languageId: 'plaintext',
            })),
          }),
        ]);
      case 'getDiagnostics':
        return answer([JSON.stringify(this.diagnostics)]);
      case 'getWorkspaceFolders':
        return answer([JSON.stringify({ success: true, folders: this.#options.folders.map((path) => ({ path })) })]);
      case 'openFile':
        this.opened.push(input);
        return answer([`Opened file: ${input.filePath}`]);
      case 'saveDocument':
        this.saved.push(input.filePath);
        return answer([JSON.stringify({ success: true, saved: true })]);
      default:
        return answer(['OK']);
    }
  }
}
