import { basename } from 'node:path';

/** Lines to paste, for the shell that the user has. Quoted so that no folder's name is ever run. */
export function environmentText(variables: Readonly<Record<string, string>>, shell: string): string {
  const assign = assignment(
    basename(shell.replaceAll('\\', '/'))
      .replace(/\.exe$/i, '')
      .toLowerCase(),
  );
  return Object.entries(variables)
    .map(([name, value]) => `${assign(name, value)}\n`)
    .join('');
}

function assignment(shell: string): (name: string, value: string) => string {
  switch (shell) {
    case 'fish':
      return (name, value) => `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
    case 'pwsh':
    case 'powershell':
      return (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`;
    case 'cmd':
      return (name, value) => `set "${name}=${value}"`;
    default:
      return (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`;
  }
}
