// An ACP agent of a few lines, steered by the words of the prompt. It speaks raw JSON lines: no library can hide a fault.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

// With "forgets" it says that it can load sessions, and has none; with "no-load" it says that it cannot;
// with "half" it remembers only what it was asked.
const how = process.argv[2];
let session = 's1';
let sessions = 0;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionUpdate, more) =>
  send({ method: 'session/update', params: { sessionId: session, update: { sessionUpdate, ...more } } });
const say = (text) => update('agent_message_chunk', { content: { type: 'text', text } });
const waiting = new Map();
let serial = 100;
const modeIds = (process.env.FAKE_MODES ?? 'auto,default').split(',');
let [mode] = modeIds;
let cancelled = () => {};

function ask(method, params) {
  serial += 1;
  const id = serial;
  send({ id, method, params: { sessionId: session, ...params } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const modes = () => ({
  currentModeId: mode,
  availableModes: modeIds.map((id) => ({ id, name: id })),
});
const options = [
  { optionId: 'switch', name: 'Allow and ask from now on', kind: 'allow_once' },
  { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
];

async function prompt(blocks) {
  const text = blocks.map((block) => block.text ?? '').join(' ');
  const [, word, rest] = /^(\S+) ?(.*)$/s.exec(text) ?? [];
  if (word === 'env') say(JSON.stringify(process.env));
  if (word === 'blocks') say(JSON.stringify(blocks));
  if (word === 'mode') say(mode);
  if (word === 'read') say(JSON.stringify(await ask('fs/read_text_file', JSON.parse(rest))));
  if (word === 'write') say(JSON.stringify(await ask('fs/write_text_file', { path: rest, content: 'by the agent' })));
  if (word === 'terminal') say(JSON.stringify(await ask('terminal/create', { command: 'ls' })));
  if (word === 'die') process.exit(3);
  if (word === 'odd') {
    update('something_new', { data: 1 });
    update('tool_call', { toolCallId: 't', title: 'x', kind: 'levitate', status: 'pending' });
    say('still here');
  }
  if (word === 'form') {
    const properties = {
      q: { type: 'string', title: 'Color', oneOf: [{ const: 'Red', title: 'Red' }] },
      q_custom: { type: 'string' },
    };
    say(
      JSON.stringify(
        await ask('elicitation/create', {
          mode: 'form',
          message: 'Which?',
          requestedSchema: { type: 'object', properties },
        }),
      ),
    );
  }
  if (word === 'told') {
    // As Codex does it: the change stands in the call, and the permission names the rest.
    const { content, locations } = JSON.parse(rest);
    update('tool_call', { toolCallId: 'c', title: 'Editing files', kind: 'edit', status: 'in_progress', content });
    const toolCall = { toolCallId: 'c', title: 'Edit files', kind: 'edit', status: 'pending', locations };
    const { result } = await ask('session/request_permission', { toolCall, options });
    if (result.outcome.optionId === 'cancel') return 'cancelled';
    update('tool_call_update', { toolCallId: 'c', status: 'completed' });
    say(JSON.stringify(result));
  }
  if (word === 'permission') await ask('session/request_permission', { toolCall: JSON.parse(rest), options });
  if (word === 'updates') for (const { sessionUpdate, ...more } of JSON.parse(rest)) update(sessionUpdate, more);
  if (word === 'edit') {
    const { path, old, text: newText, next } = JSON.parse(rest);
    const content = [{ type: 'diff', path, oldText: old, newText }];
    const toolCall = {
      toolCallId: 'call',
      title: 'Edit',
      kind: 'edit',
      status: 'pending',
      content,
      locations: [{ path }],
    };
    const reply = await ask('session/request_permission', { toolCall, options });
    say(JSON.stringify(reply.result ?? reply.error));
    if (next === 'write') say(JSON.stringify(await ask('fs/write_text_file', { path, content: newText })));
  }
  if (word === 'wait') {
    say('waiting');
    return new Promise((resolve) => {
      cancelled = () => resolve('cancelled');
      if (rest === 'briefly') setTimeout(() => resolve('end_turn'), 50);
    });
  }
  if (word === 'hello') say('hello');
  return 'end_turn';
}

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'fake', version: '1.2.3' },
    agentCapabilities: {
      loadSession: how !== 'no-load',
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {} },
    },
  }),
  'session/new': () => {
    if (process.env.FAKE_LOGIN) throw { code: -32000, message: 'Authentication required' };
    sessions += 1;
    if (how === 'forgets' || how === 'no-load') session = `s${process.pid}-${sessions}`;
    return { sessionId: session, modes: modes(), ...JSON.parse(process.env.FAKE_STATE ?? '{}') };
  },
  'session/set_config_option': ({ configId, value }) => {
    say(`${configId} is ${value}`);
    return {};
  },
  'session/load': () => {
    update('user_message_chunk', { content: { type: 'text', text: 'earlier' } });
    if (how !== 'half') say('answered');
    return { modes: modes() };
  },
  'session/resume': () => ({ modes: modes() }),
  'session/list': () => ({ sessions: [{ sessionId: 's1', cwd: '/w', title: 'Earlier' }] }),
  'session/set_mode': ({ modeId }) => {
    mode = modeId;
    return {};
  },
  'session/prompt': async ({ prompt: blocks }) => ({ stopReason: await prompt(blocks) }),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, ...reply } = JSON.parse(line);
  if (method === 'session/cancel') return cancelled();
  if (method === undefined) return waiting.get(id)?.(reply);
  if (id === undefined) return;
  const answer = answers[method];
  if (how === 'forgets' && method === 'session/load')
    return send({ id, error: { code: -32602, message: 'no such session' } });
  // While this file exists, nobody is logged in.
  if (/^session\/(new|load)$/.test(method) && existsSync(process.env.FAKE_LOCKED ?? ''))
    return send({ id, error: { code: -32000, message: 'Please log in first' } });
  if (!answer) return send({ id, error: { code: -32601, message: `no ${method}` } });
  try {
    send({ id, result: await answer(params) });
  } catch (error) {
    send({ id, error });
  }
});
process.stdin.on('end', () => process.exit(0));
