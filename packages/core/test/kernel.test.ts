import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { KERNEL_MS, nothingLeft, processesOf, startKernel, textOf } from '../../../test/support/kernel.ts';
import { createWorld, until, type World } from '../../../test/support/world.ts';
import { isAlive } from '../src/discovery/process.ts';
import { interpreters } from '../src/kernel/interpreters.ts';
import { Outputs } from '../src/kernel/outputs.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LIMITS = { textCharacters: 1000, images: 2, imageCharacters: 1000 };
const DEBIAN = '/usr/lib/python3/dist-packages';

/** Code that leaves `name` in the workspace when it has come so far. */
const sign = (name: string) => `open(${JSON.stringify(name)}, "w").close()`;
const signed = (world: World, name: string) =>
  until(`the code's own sign ${name}`, () => existsSync(join(world.workspace, name)), KERNEL_MS);

function createVenv(path: string, ...flags: string[]): string {
  execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', ...flags, path]);
  return join(path, 'bin', 'python');
}

/** An environment in which jupyter_client works but no ipykernel is. */
function createVenvWithoutKernel(world: World): string {
  const python = createVenv(join(world.root, 'clientonly'));
  const packages = join(world.root, 'packages');
  mkdirSync(packages);
  for (const name of readdirSync(DEBIAN).filter((each) => !each.startsWith('ipykernel'))) {
    symlinkSync(join(DEBIAN, name), join(packages, name));
  }
  const site = execFileSync(python, ['-c', 'import site; print(site.getsitepackages()[0])'], { encoding: 'utf8' });
  writeFileSync(join(site.trim(), 'packages.pth'), `${packages}\n`);
  return python;
}

test('[CLA-10] what a kernel puts out', async (t) => {
  const world = createWorld(t);
  const kernel = startKernel(t, world, { limits: LIMITS });

  await t.test('[CLA-10] nothing is started before the first call', () => {
    assert.deepEqual(processesOf(world), []);
    assert.deepEqual(readdirSync(world.tmp), []);
  });

  await t.test('[CLA-10] printed text and the result; state is kept; it runs in the workspace', async () => {
    assert.deepEqual(await kernel.run('x = 41\nprint("hello")\nx + 1'), [{ type: 'text', text: 'hello\n42' }]);
    assert.deepEqual(await kernel.run('x += 1'), []);
    assert.deepEqual(await kernel.run('x'), [{ type: 'text', text: '42' }]);
    assert.equal(await kernel.text('import os; print(os.getcwd())'), world.workspace);
    assert.equal(await kernel.text('"ä\\u2028🙂" + chr(0xd800).encode("utf-8", "replace").decode()'), "'ä\\u2028🙂?'");
  });

  await t.test('[CLA-10] stderr, without colours, and lines that were written over', async () => {
    const code = 'import sys\nprint("\\x1b[31mred\\x1b[0m", file=sys.stderr)\nprint("10 %\\r100 %")';
    assert.deepEqual((await kernel.text(code)).split('\n').sort(), ['100 %', 'red']);
  });

  await t.test('[CLA-10] images as base64, in their place between texts; svg as text', async () => {
    const png = `Image(data=base64.b64decode("${PIXEL}"), format="png")`;
    const setUp = 'import base64\nfrom IPython.display import Image, SVG, display';
    assert.deepEqual(await kernel.run(`${setUp}\nprint("before")\ndisplay(${png})\nprint("after")`), [
      { type: 'text', text: 'before' },
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      { type: 'text', text: 'after' },
    ]);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>';
    assert.match(await kernel.text(`SVG('${svg}')`), /^<svg xmlns=.*<g\/>/);
    const jpeg = await kernel.run('Image(data=b"\\xff\\xd8\\xff", format="jpeg")');
    assert.deepEqual(jpeg, [{ type: 'image', mimeType: 'image/jpeg', data: '/9j/' }]);
  });

  await t.test('[CLA-10] an exception comes with its traceback and without colours', async () => {
    const [before, error, ...rest] = await kernel.run('print("so far")\ndef f(): return 1 / 0\nf()');
    assert.deepEqual(before, { type: 'text', text: 'so far' });
    assert.equal(error?.type, 'error');
    assert.deepEqual(rest, []);
    const text = textOf(error ? [error] : []);
    assert.match(text, /Traceback[\s\S]*in f\(\)[\s\S]*ZeroDivisionError: division by zero$/);
    assert.ok(!text.includes('\x1b'));
    const [syntax] = await kernel.run('def (');
    assert.ok(syntax?.type === 'error' && syntax.text.includes('SyntaxError'));
    const [input] = await kernel.run('input()');
    assert.ok(input?.type === 'error' && input.text.includes('StdinNotImplementedError'));
  });

  await t.test('[CLA-10] past the bounds it says what was cut, and the traceback survives', async () => {
    const outputs = await kernel.run('print("x" * 5_000_000)\n1 / 0');
    assert.equal(textOf(outputs.slice(0, 1)), 'x'.repeat(1000));
    assert.equal(outputs[1]?.type, 'error');
    assert.equal(textOf(outputs.slice(2)), '[4999001 more characters of output were cut]');
    const pixel = `Image(data=base64.b64decode("${PIXEL}"), format="png")`;
    const many = await kernel.run(`for i in range(5): display(${pixel})\nImage(data=b"x" * 3000, format="png")`);
    assert.deepEqual(
      many.map((output) => output.type),
      ['image', 'image', 'text'],
    );
    assert.match(
      textOf(many.slice(2)),
      /an image of 4000 characters was left out.*\n\[3 more images of output were cut\]/,
    );
  });

  await t.test('[CLA-10] what the code clears or updates is shown as it was last', async () => {
    const code = 'from IPython.display import clear_output\nprint("gone")\nclear_output()\n';
    const update = 'h = display("one", display_id=True)\nprint("two")\nh.update("three")';
    assert.equal(await kernel.text(code + update), "'three'\ntwo");
  });

  await t.test('[CLA-10] calls that come at once run one after the other', async () => {
    await kernel.run('log = []');
    const codes = [1, 2, 3].map((n) => `log.append(${n}); import time; time.sleep(0.05); log.append(-${n})`);
    await Promise.all(codes.map((code) => kernel.run(code)));
    assert.equal(await kernel.text('log'), '[1, -1, 2, -2, 3, -3]');
  });

  await t.test('[CLA-10] the folder of its sockets and its connection file is closed to others', () => {
    const [folder = ''] = readdirSync(world.tmp);
    assert.equal(statSync(join(world.tmp, folder)).mode & 0o777, 0o700);
    assert.ok(existsSync(join(world.tmp, folder, 'kernel.json')));
    assert.ok(readdirSync(join(world.tmp, folder)).some((name) => name.startsWith('kernel-ipc')));
  });
});

test('[CLA-10] a call that is taken back is interrupted, and the kernel keeps its state', async (t) => {
  const world = createWorld(t);
  const kernel = startKernel(t, world);
  await kernel.run('x = 1');
  const taken = new AbortController();
  const endless = kernel.run(`${sign('begun')}\nwhile True: pass`, taken.signal);
  const queued = new AbortController();
  const never = assert.rejects(kernel.run('x = 3', queued.signal), /taken back/);
  await signed(world, 'begun');
  queued.abort();
  taken.abort();
  assert.match(textOf(await endless), /KeyboardInterrupt/);
  await never;
  assert.equal(await kernel.text('x'), '1');
  // At once, when the kernel has hardly heard of the code.
  for (let i = 0; i < 5; i += 1) {
    const early = new AbortController();
    const run = kernel.run('x += 1\nwhile True: pass', early.signal);
    setImmediate(() => early.abort());
    await run.catch(() => {});
  }
  assert.match(await kernel.text('x'), /^[1-6]$/);
});

test('[CLA-10] a call that takes too long is interrupted and told so', async (t) => {
  const kernel = startKernel(t, createWorld(t), { limits: { callMs: 1000 } });
  await kernel.run('x = 1');
  assert.match(
    textOf(await kernel.run('import time\ntime.sleep(1000)')),
    /KeyboardInterrupt[\s\S]*longer than 1 s.*state/,
  );
  assert.equal(await kernel.text('x'), '1');
});

test('[CLA-10] code that ignores the interrupt ends with its kernel', async (t) => {
  const world = createWorld(t);
  const kernel = startKernel(t, world, { limits: { stubbornMs: 300 } });
  const taken = new AbortController();
  const ignore = 'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)';
  const endless = kernel.run(`${ignore}\n${sign('begun')}\nwhile True: pass`, taken.signal);
  await signed(world, 'begun');
  taken.abort();
  assert.match(textOf(await endless), /did not stop, so the kernel was ended/);
  assert.match(await kernel.text('1'), /new one.*gone\.\]\n1$/);
});

test('[CLA-10] a kernel that ends is replaced by the next call, which says that the state is lost', async (t) => {
  const world = createWorld(t);
  const kernel = startKernel(t, world);
  await kernel.run('x = 1');
  const [died] = await kernel.run('import os; os._exit(1)');
  assert.equal(died?.type, 'error');
  assert.match(textOf(died ? [died] : []), /kernel ended while it ran this code/);
  assert.match(await kernel.text('"x" in globals()'), /^\[The last kernel ended; this is a new one.*gone\.\]\nFalse$/);
  assert.equal(await kernel.text('1'), '1', 'told once');

  // Between two calls, from outside: no code is lost.
  const pid = Number(await kernel.text('import os; os.getpid()'));
  process.kill(pid, 'SIGKILL');
  await until('its parent has collected it', () => !isKnown(pid));
  assert.match(await kernel.text('print("ran")'), /^\[The last kernel ended.*\]\nran$/);

  // The bridge, with a kernel that would go on for ever.
  const endless = kernel.run(`${sign('begun')}\nwhile True: pass`);
  await signed(world, 'begun');
  const orphan = Number(processesOf(world).find((each) => isKernel(each)));
  for (const bridge of processesOf(world).filter((each) => each !== orphan)) process.kill(bridge, 'SIGKILL');
  assert.match(textOf(await endless), /kernel ended/);
  await until('the end of the kernel', () => !processesOf(world).includes(orphan));
  assert.match(await kernel.text('2'), /\n2$/);
});

test('[CLA-10] restart, also in the middle of a call', async (t) => {
  const world = createWorld(t);
  const kernel = startKernel(t, world);
  await kernel.runner.restart();
  assert.equal(await kernel.text('x = 1; x'), '1');
  await kernel.runner.restart();
  assert.match(await kernel.text('"x" in globals()'), /^\[The kernel was restarted\..*\]\nFalse$/);
  const endless = kernel.run(`${sign('begun')}\nwhile True: pass`);
  await signed(world, 'begun');
  await kernel.runner.restart();
  assert.match(textOf(await endless), /restarted while it ran this code/);
  assert.match(await kernel.text('1'), /\n1$/);
});

test('[CLA-10] dispose leaves no process and no file, whatever runs', async (t) => {
  const world = createWorld(t);
  const kernel = startKernel(t, world);
  const started = await kernel.text('import subprocess; subprocess.Popen(["sleep", "1000"]).pid');
  const endless = kernel.run(`${sign('begun')}\nwhile True: pass`);
  await signed(world, 'begun');
  assert.ok(processesOf(world).length >= 2);
  await kernel.runner.dispose();
  assert.deepEqual(processesOf(world), []);
  assert.deepEqual(readdirSync(world.tmp), []);
  await until('the end of what the code had started', () => !isAlive(Number(started)));
  assert.match(textOf(await endless), /editor was closed/);
  await assert.rejects(kernel.run('1'), /editor was closed/);

  const starting = startKernel(t, world);
  const first = assert.rejects(starting.run('1'), /editor was closed/);
  await until('its first process', () => processesOf(world).length > 0);
  await starting.runner.dispose();
  await first;
});

test('[CLA-10] when its owner is killed, the bridge ends the kernel and removes its files', async (t) => {
  const world = createWorld(t);
  const script = fileURLToPath(new URL('../../../test/support/kernel-owner.ts', import.meta.url));
  const owner = fork(script, [JSON.stringify(world)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  t.after(() => owner.kill('SIGKILL'));
  const pids = await new Promise<string>((resolve, reject) => {
    owner.once('message', (message) => resolve(String(message)));
    owner.once('exit', () => reject(new Error('the owner ended')));
  });
  const [kernel = 0, child = 0] = pids.split(' ').map(Number);
  assert.ok(isAlive(kernel) && isAlive(child));
  owner.kill('SIGKILL');
  await nothingLeft(world);
  await until('the end of what the code had started', () => !isAlive(kernel) && !isAlive(child), KERNEL_MS);
});

test('[CLA-10] the environment of the workspace is preferred if it has a kernel', async (t) => {
  const world = createWorld(t);
  const venv = join(world.workspace, '.venv');
  createVenv(venv);
  const prefix = 'import sys, os; print(sys.prefix, os.environ.get("VIRTUAL_ENV"))';
  assert.equal(await startKernel(t, world).text(prefix), '/usr None', 'this one has none');
  createVenv(venv, '--clear', '--system-site-packages');
  assert.equal(await startKernel(t, world).text(prefix), `${venv} ${venv}`);
  const active = join(world.root, 'active');
  createVenv(active, '--system-site-packages');
  const folders = () => [];
  const env = { VIRTUAL_ENV: active };
  assert.equal(await startKernel(t, world, { folders, env }).text(prefix), `${active} ${active}`);
});

test('[CLA-10] without a kernel of its own an interpreter finds the installed kernel specs, also by name', async (t) => {
  const world = createWorld(t);
  const python = createVenvWithoutKernel(world);
  assert.equal(await startKernel(t, world, { python }).text('import sys; print(sys.prefix)'), '/usr');
  const spec = join(world.root, 'jupyter', 'kernels', 'mine');
  mkdirSync(spec, { recursive: true });
  const argv = ['/usr/bin/python3', '-m', 'ipykernel_launcher', '-f', '{connection_file}'];
  const content = { argv, display_name: 'Mine', language: 'python', env: { MINE: 'yes' } };
  writeFileSync(join(spec, 'kernel.json'), JSON.stringify(content));
  const env = { JUPYTER_PATH: join(world.root, 'jupyter') };
  const mine = startKernel(t, world, { kernel: 'mine', env });
  assert.equal(await mine.text('import os; print(os.environ["MINE"])'), 'yes');
  await assert.rejects(startKernel(t, world, { kernel: 'none', env }).run('1'), /no Jupyter kernel "none".*mine/);
});

test('[CLA-10] without a kernel the message says what to install', async (t) => {
  const world = createWorld(t);
  const install = /no Jupyter kernel for Python was found; install one with: pip install ipykernel \(or apt install/;
  const missing = startKernel(t, world, { python: join(world.root, 'none', 'python3') });
  await assert.rejects(missing.run('1'), install);
  const bare = startKernel(t, world, { python: createVenv(join(world.root, 'bare')) });
  await assert.rejects(
    bare.run('1'),
    (error: Error) => install.test(error.message) && /bare.*No module/.test(error.message),
  );
  const broken = startKernel(t, world, { folders: () => [join(world.root, 'no such folder')] });
  await assert.rejects(broken.run('1'), /kernel of .* did not start: .*no such folder/s);
});

test('[CLA-10] interpreters: workspace, VIRTUAL_ENV, PATH, system; each once', (t) => {
  const world = createWorld(t);
  const python = (...names: string[]) => {
    const path = join(world.root, ...names);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    return path;
  };
  const expected = [
    python('ws', '.venv', 'bin', 'python'),
    python('other', 'venv', 'bin', 'python'),
    python('active', 'bin', 'python'),
    python('b', 'python3'),
    python('a', 'python3'),
    '/usr/bin/python3',
  ];
  const path = ['b', 'none', 'a', 'b'].map((name) => join(world.root, name)).join(':');
  const env = { PATH: path, VIRTUAL_ENV: join(world.root, 'active') };
  const found = interpreters([world.workspace, join(world.root, 'other')], env);
  assert.deepEqual(
    found.map((each) => each.path),
    expected,
  );
});

test('[CLA-10] outputs: a stream goes on, a result stands alone, an update takes no more room', () => {
  const outputs = new Outputs({ textCharacters: 10, images: 1, imageCharacters: 10 });
  outputs.take({ event: 'text', text: 'a', cut: 0 });
  outputs.take({ event: 'text', text: 'b', cut: 0 });
  outputs.take({ event: 'text', text: 'r', cut: 0, alone: true });
  outputs.take({ event: 'image', mimeType: 'image/png', data: 'one', display: 'd' });
  outputs.take({ event: 'image', mimeType: 'image/png', data: 'two', display: 'd', update: true });
  outputs.take({ event: 'text', text: 'c\r\n', cut: 0 });
  assert.deepEqual(outputs.finish(), [
    { type: 'text', text: 'ab\nr' },
    { type: 'image', mimeType: 'image/png', data: 'two' },
    { type: 'text', text: 'c' },
  ]);
});

function isKernel(pid: number): boolean {
  return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('ipykernel');
}

/** Until its parent has collected a process, a signal still reaches it. */
function isKnown(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
