import { COMMAND_NAMES, help } from './help.ts';

/** The manual page, from the same texts as --help. */
export function manPage(version: string): string {
  const [intro = '', ...rest] = help().split('\n\n');
  const exits = rest.find((part) => part.startsWith('Exit codes'))?.replace(/^Exit codes: /, '') ?? '';
  const overview = rest.filter((part) => !part.startsWith('Exit codes'));
  return `${[
    `.TH TANDEM 1 "" "tandem ${version}" "User Commands"`,
    '.SH NAME',
    `tandem \\- ${escaped(intro.replace(/^Tandem: /, '').replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B tandem',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    verbatim(overview.join('\n\n')),
    '.SH COMMANDS',
    ...[...COMMAND_NAMES].sort().flatMap((name) => [`.SS ${escaped(name)}`, verbatim(help(name))]),
    '.SH EXIT STATUS',
    escaped(exits),
    '.B tandem run',
    'ends as its agent does.',
    '.SH FILES',
    '.TP',
    '.I ~/.tandem',
    'What runs, and what was answered. TANDEM_HOME moves it.',
    '.SH ENVIRONMENT',
    '.TP',
    '.B NO_COLOR',
    'No colours.',
    '.TP',
    '.BR VISUAL , \\ EDITOR',
    'Opened by tandem review accept \\-\\-edit.',
  ].join('\n')}\n`;
}

function verbatim(text: string): string {
  return `.nf\n${text.split('\n').map(escaped).join('\n')}\n.fi`;
}

/** Hyphens that are typed, backslashes, and a dot or quote that would begin a request. */
function escaped(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
