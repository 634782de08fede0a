// Debian packages that a task needs and npm cannot give: `node scripts/need.mjs python3-ipykernel`, or `await need([…])`.
// Does nothing when they are there. As root it installs what is missing; else it says what to type.
import { spawn, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Rejects with a message for the user when a package is missing and cannot be installed. */
export async function need(packages) {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const names = missing.join(' ');
  if (!exists('apt-get')) {
    throw new Error(`needed: ${names} (names of Debian packages); install what they hold with your system's own means`);
  }
  if (process.getuid?.() !== 0) throw new Error(`needed: ${names}; install with: sudo apt-get install ${names}`);
  const begun = Date.now();
  process.stderr.write(`installing ${names}…\n`);
  const updated = await aptGet(['update']);
  const installed = await aptGet(['install', '--yes', '--no-install-recommends', ...missing]);
  const still = missing.filter((name) => !isInstalled(name));
  if (still.length > 0) {
    throw new Error(
      `${updated.output}${installed.output}\ncould not install ${still.join(' ')}; the lines above say why`,
    );
  }
  process.stderr.write(`installing ${names}: done in ${Math.round((Date.now() - begun) / 1000)} s\n`);
}

function isInstalled(name) {
  const { stdout } = spawnSync('dpkg-query', ['--show', `--showformat=\${db:Status-Status}`, name], {
    encoding: 'utf8',
  });
  return stdout === 'installed';
}

function exists(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Waits for another apt; keeps what it says for the case that it fails. */
function aptGet(args) {
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', [...options, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-10_000);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await need(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
