import fc from 'fast-check';

/** JSON-RPC as nobody should write it: valid, half valid and hostile messages, as the text that goes over the wire. */

const hostileKey = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON', 'length', '');

/** Any JSON there is, with the keys that have hurt others. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileKey, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  fc.constantFrom<unknown>(null, 0, -1, 1.5, 2 ** 53, 1e308, '', '\0', '\ud800', [], {}, 'x'.repeat(5000)),
);

const id = fc.oneof(
  { weight: 4, arbitrary: fc.nat() },
  { weight: 2, arbitrary: fc.string() },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, -1, 0.5, 2 ** 60, 'x'.repeat(10_000), '__proto__', true, [], {}),
  },
);

const METHODS = [
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'logging/setLevel',
  'completion/complete',
  'ide_connected',
  'ide/diffAccepted',
  'selection_changed',
  'server/discover',
];

const TOOLS = [
  'openDiff',
  'closeDiff',
  'openFile',
  'getCurrentSelection',
  'getLatestSelection',
  'getOpenEditors',
  'getWorkspaceFolders',
  'getDiagnostics',
  'checkDocumentDirty',
  'close_tab',
  'closeAllDiffTabs',
];

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...METHODS) },
  { weight: 1, arbitrary: hostileKey },
  { weight: 1, arbitrary: fc.string() },
);

/** Arguments that are right, nearly right, or anything. */
function argumentsIn(workspace: string): fc.Arbitrary<unknown> {
  const path = fc.oneof(
    fc.constantFrom(`${workspace}/a.txt`, `${workspace}/../x`, '/etc/passwd', 'a', '', '/\0', `/${'x'.repeat(5000)}`),
    value,
  );
  const text = fc.oneof(fc.string(), value);
  const flag = fc.oneof(fc.boolean(), value);
  const right = fc.record(
    {
      filePath: path,
      newContent: text,
      suppressNotification: flag,
      old_file_path: path,
      new_file_path: path,
      new_file_contents: text,
      tab_name: text,
      uri: text,
      startText: text,
      endText: text,
      preview: flag,
      makeFrontmost: flag,
    },
    { requiredKeys: [] },
  );
  return fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: value });
}

function call(workspace: string): fc.Arbitrary<unknown> {
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom<unknown>(...TOOLS) }, { weight: 1, arbitrary: value });
  return fc.record({
    jsonrpc: fc.constant('2.0'),
    id,
    method: fc.constant('tools/call'),
    params: fc.record({ name, arguments: argumentsIn(workspace), _meta: value }, { requiredKeys: ['name'] }),
  });
}

const message = fc.record(
  { jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant<unknown>('2.0') }, value), id, method, params: value },
  { requiredKeys: ['jsonrpc'] },
);

const answer = fc.record(
  { jsonrpc: fc.constant('2.0'), id, result: value, error: value, method: value },
  { requiredKeys: ['jsonrpc', 'id'] },
);

const deep = fc
  .tuple(fc.nat({ max: 3000 }), fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']))
  .map(([depth, [open = '', close = '']]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

export function hostileText(workspace: string): fc.Arbitrary<string> {
  const one = fc.oneof(
    { weight: 4, arbitrary: call(workspace) },
    { weight: 4, arbitrary: message },
    { weight: 1, arbitrary: answer },
    { weight: 1, arbitrary: value },
  );
  const whole = fc.oneof({ weight: 6, arbitrary: one }, { weight: 1, arbitrary: fc.array(one, { maxLength: 4 }) });
  const text = whole.map((each) => JSON.stringify(each) ?? 'null');
  const cut = fc.tuple(text, fc.nat()).map(([each, at]) => each.slice(0, at % (each.length + 1)));
  const nested = fc
    .tuple(deep, fc.constantFrom('params', 'id', 'result', 'error', 'method', 'x'))
    .map(([inner, field]) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","${field}":${inner}}`);
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Input for the control endpoint: a command's name and a body. */
export function hostileCommand(workspace: string): fc.Arbitrary<{ verb: string; body: string }> {
  const verb = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'status',
        'review/list',
        'review/show',
        'review/accept',
        'review/reject',
        'review/amend',
        'review/restore',
        'open',
        'send',
        'ledger',
      ),
    },
    { weight: 1, arbitrary: fc.oneof(hostileKey, fc.webSegment()) },
  );
  const position = fc.record({ line: fc.oneof(fc.nat(), value), character: fc.oneof(fc.nat(), value) });
  const input = fc.record(
    {
      id: fc.oneof(fc.constantFrom('1', '2', '3', '__proto__'), value),
      text: fc.oneof(fc.string(), value),
      path: fc.oneof(fc.constantFrom(`${workspace}/a.txt`, workspace, '/dev/null', '/nope', 'a'), value),
      selection: fc.oneof(fc.record({ start: position, end: position }), value),
      lines: fc.oneof(fc.record({ start: fc.nat(), end: fc.nat() }), value),
      to: fc.oneof(fc.constantFrom('gemini', 'claude'), value),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    { weight: 6, arbitrary: input.map((each) => JSON.stringify(each)) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        value.map((each) => JSON.stringify(each) ?? ''),
        fc.string(),
        deep,
      ),
    },
  );
  return fc.record({ verb, body });
}
