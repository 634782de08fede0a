// Makes the .vsix and prints what it weighs: node editors/vscode/package.ts [folder to put it in]. Needs no network.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { buildExtension, extensionFolder } from './build.ts';
import { buildWebview } from './build-webview.ts';

const PARTS = [
  'package.json',
  'package.nls.json',
  'package.nls.zh-cn.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'l10n',
  'media',
  'walkthrough',
];

const { name, version } = JSON.parse(readFileSync(join(extensionFolder, 'package.json'), 'utf8'));
const out = resolve(process.argv[2] ?? join(extensionFolder, 'dist'));
mkdirSync(out, { recursive: true });
// Put together elsewhere, so that two runs at once do not meet and the result appears whole.
const staging = mkdtempSync(join(tmpdir(), 'tandem-vsix-'));
try {
  for (const part of PARTS) cpSync(join(extensionFolder, part), join(staging, part), { recursive: true });
  takePictures();
  const built = await buildExtension(join(staging, 'dist'));
  const panelBytes = await buildWebview(join(staging, 'dist', 'webview'));
  writeFileSync(join(staging, '.vscodeignore'), ''); // all that was copied belongs in
  const final = join(out, `${name}-${version}.vsix`);
  const packed = `${final}.${process.pid}`;
  await createVSIX({
    cwd: staging,
    packagePath: packed,
    dependencies: false,
    // There is no public repository to point to; the pictures come with the package.
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  renameSync(packed, final);
  console.log(final);
  console.log(
    `activation ${kilobytes(built.activationBytes)}, all code ${kilobytes(built.totalBytes)}, chat panel ${kilobytes(panelBytes)}`,
  );
  console.log(`.vsix ${kilobytes(statSync(final).size)}`);
} finally {
  rmSync(staging, { recursive: true });
}

/** The README shows pictures of the documentation, which come with the package. */
function takePictures(): void {
  const readme = join(staging, 'README.md');
  const text = readFileSync(readme, 'utf8').replaceAll(/\.\.\/\.\.\/docs\/images\/([\w-]+\.png)/g, (_, picture) => {
    cpSync(join(extensionFolder, '../../docs/images', picture), join(staging, 'media', picture));
    return `media/${picture}`;
  });
  writeFileSync(readme, text);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
