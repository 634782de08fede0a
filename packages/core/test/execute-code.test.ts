import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Message } from '../../../test/support/http-agent.ts';
import { KERNEL_MS, kernelOptions, processesOf } from '../../../test/support/kernel.ts';
import { SocketAgent } from '../../../test/support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until } from '../../../test/support/world.ts';
import { KernelOnDemand, type KernelOptions, MemoryEditor } from '../src/index.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function startWithKernel(t: TestContext, options: Partial<KernelOptions> = {}): Promise<Running> {
  const world = createWorld(t);
  const runner = new KernelOnDemand(kernelOptions(world, options));
  return startCompanion(t, { world, editor: new MemoryEditor({ folders: [world.workspace], runner }) });
}

const connect = (running: Running) => new SocketAgent(running.companion.port, running.token('claude')).connect();
const ask = (agent: SocketAgent, code: unknown) =>
  agent.ask('tools/call', { name: 'executeCode', arguments: { code } });
const answer = (agent: SocketAgent, id: number) => until('the answer', () => agent.answerTo(id), KERNEL_MS);

async function execute(agent: SocketAgent, code: unknown): Promise<Message> {
  return answer(agent, ask(agent, code));
}

/** Starts code that never ends, and waits until the kernel is in it. */
async function executeEndless(running: Running, agent: SocketAgent): Promise<number> {
  const id = ask(agent, 'open("begun", "w").close()\nwhile True: pass');
  await until('its sign', () => existsSync(join(running.world.workspace, 'begun')), KERNEL_MS);
  return id;
}

test('[CLA-6] [CLA-10] with a kernel all twelve tools are announced, and nothing is started yet', async (t) => {
  const running = await startWithKernel(t);
  const agent = await connect(running);
  const { tools } = (await agent.request('tools/list')).result;
  assert.deepEqual(
    tools.map((tool: { name: string }) => tool.name),
    [
      'openFile',
      'openDiff',
      'getCurrentSelection',
      'getLatestSelection',
      'getOpenEditors',
      'getWorkspaceFolders',
      'getDiagnostics',
      'checkDocumentDirty',
      'saveDocument',
      'close_tab',
      'closeAllDiffTabs',
      'executeCode',
    ],
  );
  const { description, inputSchema } = tools.at(-1);
  assert.match(description, /Python.*Jupyter.*persists between calls/);
  assert.deepEqual(inputSchema.required, ['code']);
  assert.equal(inputSchema.properties.code.type, 'string');
  assert.deepEqual(processesOf(running.world), []);
});

test('[CLA-6] [CLA-10] executeCode answers with text and images; state is kept between calls and agents', async (t) => {
  const running = await startWithKernel(t);
  const [one, two] = [await connect(running), await connect(running)];
  const hello = await execute(one, "print('Hello, World!')\nx = 1");
  assert.deepEqual(hello.result, { content: [{ type: 'text', text: 'Hello, World!' }] });
  const image = `import base64\nfrom IPython.display import Image\nprint(x)\nImage(data=base64.b64decode("${PIXEL}"), format="png")`;
  assert.deepEqual((await execute(two, image)).result.content, [
    { type: 'text', text: '1' },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
  ]);
  assert.deepEqual((await execute(one, 'x += 1')).result.content, [{ type: 'text', text: '(no output)' }]);
  assert.deepEqual((await execute(two, 'x')).result.content, [{ type: 'text', text: '2' }]);
});

test('[CLA-10] an exception is an error result with its traceback', async (t) => {
  const agent = await connect(await startWithKernel(t));
  const { result } = await execute(agent, 'print("so far")\n1 / 0');
  assert.equal(result.isError, true);
  assert.equal(result.content[0].text, 'so far');
  assert.match(result.content[1].text, /Traceback[\s\S]*ZeroDivisionError: division by zero$/);
});

test('[CLA-10] what the code put out is in the ledger', async (t) => {
  const running = await startWithKernel(t);
  await execute(await connect(running), 'print("this leaves")');
  const [entry, ...rest] = running.companion.ledger.entries.filter(({ what }) => what === 'output');
  assert.equal(entry?.text, 'this leaves');
  assert.equal(entry.agent, 'claude');
  assert.deepEqual(rest, []);
});

test('[CLA-10] notifications/cancelled interrupts the code; the kernel and its state stay', async (t) => {
  const running = await startWithKernel(t);
  const agent = await connect(running);
  const pid = (await execute(agent, 'import os\nx = 1\nos.getpid()')).result.content[0].text;
  const endless = await executeEndless(running, agent);
  agent.notify('notifications/cancelled', { requestId: endless, reason: 'the user pressed Escape' });
  assert.equal((await execute(agent, 'print(os.getpid(), x)')).result.content[0].text, `${pid} 1`);
  assert.equal(agent.answerTo(endless), undefined, 'a request that was taken back is not answered');
});

test('[CLA-10] [ALL-7] an agent that goes takes its code with it; the kernel serves the others', async (t) => {
  const running = await startWithKernel(t);
  const [one, two] = [await connect(running), await connect(running)];
  await execute(one, 'x = 1');
  await executeEndless(running, one);
  one.socket.terminate();
  assert.equal((await execute(two, 'x')).result.content[0].text, '1');
});

test('[CLA-10] without a kernel the answer says what to install', async (t) => {
  const agent = await connect(await startWithKernel(t, { python: '/no/such/python3' }));
  const { result } = await execute(agent, '1');
  assert.equal(result.isError, true);
  assert.match(
    result.content[0].text,
    /no Jupyter kernel for Python was found; install one with: pip install ipykernel/,
  );
});

test('[CLA-10] [CLA-12] code that is no text is refused by name; an editor without a kernel says so', async (t) => {
  const agent = await connect(await startWithKernel(t));
  for (const code of [undefined, 1, null]) assert.match((await execute(agent, code)).error.message, /code/);
  const without = await connect(await startCompanion(t));
  const { result } = await execute(without, '1');
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /cannot run code/);
});

test('[CLA-10] [ALL-5] stopping the companion ends the kernel, also in the middle of code', async (t) => {
  const running = await startWithKernel(t);
  await executeEndless(running, await connect(running));
  assert.ok(processesOf(running.world).length >= 2);
  await running.companion.stop();
  assert.deepEqual(processesOf(running.world), []);
});
