// Makes the pictures of VS Code for the README and the marketplace, with a real agent at work in its terminal:
// node test/editors/screenshots.ts [folder]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { agents } from '../agents/agents.ts';
import { install as installAgents } from '../agents/install.ts';
import { pause, waitFor } from '../agents/wait.ts';
import { Seat } from '../agents/world.ts';
import { installCodeServer } from './install.ts';
import { repoRoot } from './paths.ts';
import { Diff } from './support/diff.ts';
import { Seats } from './support/seats.ts';
import { Studio } from './support/studio.ts';
import type { EditorSandbox } from './support/terminals.ts';
import type { Window } from './support/window.ts';

const folder = resolve(process.argv[2] ?? join(repoRoot, 'docs', 'images'));

// No language server runs here, and Python asks for none.
const BEFORE = `import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    port: int = 8080
    host: str = "localhost"
    retries: int = 3


def read_settings(path: Path) -> Settings:
    """The settings of a project, or the defaults."""
    text = path.read_text()
    return Settings(**json.loads(text))
`;
const AFTER = BEFORE.replace('    retries: int = 3\n', '    retries: int = 3\n    timeout: float = 5.0\n').replace(
  '    text = path.read_text()\n',
  '    text = path.read_text() if path.exists() else "{}"\n',
);
const MAIN = `from pathlib import Path

from settings import read_settings

settings = read_settings(Path("harbour.json"))
print(f"listening on {settings.host}:{settings.port}")
`;
const FILES: Readonly<Record<string, string>> = {
  'README.md': '# harbour\n',
  'src/main.py': MAIN,
  'src/settings.py': BEFORE,
  'test/test_settings.py': 'from settings import read_settings\n',
};
const SETTINGS = {
  'window.autoDetectColorScheme': true,
  'breadcrumbs.filePath': 'last',
  'editor.minimap.enabled': false,
  'editor.scrollbar.vertical': 'hidden',
  'editor.scrollbar.horizontal': 'hidden',
  'editor.fontSize': 12,
  'terminal.integrated.fontSize': 11,
  'workbench.layoutControl.enabled': false,
  'window.menuBarVisibility': 'hidden',
  'tandem.reviews.onTabClose': 'keep',
};

await installCodeServer();
await installAgents();
mkdirSync(folder, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) await pictures(colorScheme);

async function pictures(colorScheme: 'light' | 'dark'): Promise<void> {
  const seats = await Seats.prepare();
  const viewport = { width: 1280, height: 800 };
  const studio = await Studio.start({ env: seats.env, settings: SETTINGS, viewport, colorScheme, prepare });
  try {
    const harbour = join(studio.sandbox.home, 'harbour');
    const window = await studio.window(harbour);
    const take = async (name: string) => {
      await window.hideProbe();
      await window.page.mouse.move(640, 4);
      await window.page.screenshot({ path: join(folder, `vscode-${name}-${colorScheme}.png`) });
    };
    await settle(window);
    await review(studio, window, seats, harbour, () => take('review'));
    await context(window, harbour);
    await window.offered();
    await take('context');
  } finally {
    await studio.discard();
    await seats.close();
  }
}

/** A project in the HOME, so that nothing shows where it really is. */
function prepare({ home }: EditorSandbox): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, 'harbour', name)), { recursive: true });
    writeFileSync(join(home, 'harbour', name), text);
  }
  writeFileSync(join(home, '.bashrc'), "PS1='\\w $ '\n");
}

async function settle(window: Window): Promise<void> {
  await window.showView('Tandem');
  await window.inHost((api) => api.commands.executeCommand('notifications.clearAll'));
}

async function review(
  studio: Studio,
  window: Window,
  seats: Seats,
  harbour: string,
  take: () => Promise<void>,
): Promise<void> {
  const path = join(harbour, 'src', 'settings.py');
  const companion = await studio.companion(window);
  // The agent trusts the folder it works in.
  const sandbox = Object.create(studio.sandbox, { workspace: { value: harbour } }) as EditorSandbox;
  sandbox.tmux.window = window;
  sandbox.tmux.rows = 0;
  const model = seats.model('claude');
  const seat = new Seat(agents.claude, model, sandbox);
  await seat.start();
  await waitFor('the agent', async () => (await companion.links()).length > 0, 20_000);
  model.script('timeout', [
    { calls: [{ tool: 'read', path }] },
    { calls: [{ tool: 'write', path, content: AFTER }] },
    { text: 'Done.' },
  ]);
  await seat.agent.say('Give the settings a timeout, and survive a missing file.');
  const gemini = await companion.agent('gemini');
  const diff = new Diff(window, path, 'claude');
  await diff.opened();
  const other = join(harbour, 'src', 'main.py');
  await gemini.call('openDiff', { filePath: other, newContent: MAIN.replace('listening', 'Listening') });
  await seat.agent.waitForVisible(agents.claude.asks);
  await pause('promptDrawn');
  await diff.show();
  await waitFor('both in the list', async () => (await window.rowTexts('Reviews')).length >= 4);
  await take();
  gemini.drop();
  await seat.quit();
}

/** A selection in front, and the list in which the user says what agents may see. */
async function context(window: Window, harbour: string): Promise<void> {
  await window.closeAll();
  await window.openFile(join(harbour, 'src', 'settings.py'));
  await window.press(
    'Control+Home',
    ...Array<string>(12).fill('ArrowDown'),
    ...Array<string>(4).fill('Shift+ArrowDown'),
  );
  await window.inHost((api) => api.commands.executeCommand('notifications.clearAll'));
  await window.statusItem('tandem.context').click();
}
