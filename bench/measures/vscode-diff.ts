// From an agent's openDiff to the diff on the screen, beside `vscode.diff` called by an extension that has the text.
import { Studio } from '../../test/editors/support/studio.ts';
import type { VsCode, Window } from '../../test/editors/support/window.ts';
import { NOISE, type Row } from '../rows.ts';
import { interleave, median } from '../stats.ts';

/** 1 MB in lines of 64 bytes; some near the top differ, so that the first screen shows it. */
const LINES = 16_384;
const line = (index: number) => `export const value${String(index).padStart(6, '0')} = ${'x'.repeat(34)};\n`.slice(-64);
const before = Array.from({ length: LINES }, (_, index) => line(index)).join('');
const after = Array.from({ length: LINES }, (_, index) =>
  index % 1000 === 3 ? line(index).toUpperCase() : line(index),
).join('');

export async function diffRows(rounds: number): Promise<Row[]> {
  const studio = await Studio.start();
  try {
    const path = studio.sandbox.write('large.txt', before);
    const window = await studio.window();
    const companion = await studio.companion(window);
    const agent = await companion.claude();
    await window.inHost(registerRightSides, after);
    const ours: number[] = [];
    const direct: number[] = [];
    let count = 0;
    const openDiff = async (into?: number[]) => {
      count += 1;
      const tab = `${count} large.txt`;
      const shown = window.nextDiff();
      const begun = Date.now();
      agent.ask('tools/call', {
        name: 'openDiff',
        arguments: { old_file_path: path, new_file_path: path, new_file_contents: after, tab_name: tab },
      });
      into?.push((await shown) - begun);
      await agent.call('close_tab', { tab_name: tab });
      await window.noDiff();
    };
    const directly = async (into?: number[]) => {
      count += 1;
      const shown = window.nextDiff();
      const begun = Date.now();
      await window.inHost(callDiff, path, count);
      into?.push((await shown) - begun);
      await closeDiffs(window);
      await window.noDiff();
    };
    // The first of each loads what the others find loaded.
    await openDiff();
    await directly();
    await interleave(
      rounds,
      () => openDiff(ours),
      () => directly(direct),
    );
    agent.socket.terminate();
    return [
      {
        id: 'vscode-diff-1mb',
        measure: 'VS Code: openDiff of 1 MB to the diff on the screen, p50',
        unit: 'ms',
        ours: median(ours),
        floor: median(direct),
        bar: { of: 'floor', max: 1.3, tolerance: NOISE.time },
        samples: rounds,
      },
    ];
  } finally {
    await studio.discard();
  }
}

/** Runs in the extension host: right sides that can be edited, as ours can. */
function registerRightSides(api: VsCode, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const changed = new api.EventEmitter<never>();
  api.workspace.registerFileSystemProvider('bench', {
    onDidChangeFile: changed.event,
    watch: () => new api.Disposable(() => {}),
    stat: () => ({ type: api.FileType.File, ctime: 0, mtime: 0, size: bytes.length }),
    readFile: () => bytes,
    readDirectory: () => [],
    createDirectory() {},
    writeFile() {},
    delete() {},
    rename() {},
  });
}

async function callDiff(api: VsCode, path: string, count: number): Promise<void> {
  const left = api.Uri.file(path);
  const right = left.with({ scheme: 'bench', query: String(count) });
  await api.commands.executeCommand('vscode.diff', left, right, `${count} direct`, {
    preview: false,
    preserveFocus: true,
  });
}

function closeDiffs(window: Window): Promise<void> {
  return window.inHost(async (api) => {
    const tabs = api.window.tabGroups.all.flatMap((group) => group.tabs);
    await api.window.tabGroups.close(tabs.filter((tab) => tab.input instanceof api.TabInputTextDiff));
  });
}
