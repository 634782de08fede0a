import type { CommandSpec, OptionSpec } from './spec.ts';

/** The scripts. All they know comes from the specs; after an agent's name `tandem run` leaves everything to the shell. */
export const SHELLS: Readonly<Record<string, (specs: readonly CommandSpec[]) => string>> = { bash, zsh, fish };

const COMMON: readonly OptionSpec[] = [{ name: '--help', values: [], takesValue: false }];

function bash(specs: readonly CommandSpec[]): string {
  const cases = specs.map((spec) => {
    const values = spec.options
      .filter((option) => option.values.length > 0)
      .map(
        (option) => `      ${option.name}) COMPREPLY=($(compgen -W '${option.values.join(' ')}' -- "$cur")); return ;;`,
      );
    const files = spec.files === 'folders' ? ['      COMPREPLY+=($(compgen -d -- "$cur"))'] : [];
    return [
      `    ${spec.name})`,
      ...(values.length > 0 ? ['      case $prev in', ...values.map((line) => `  ${line}`), '      esac'] : []),
      `      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '${names(spec)}' -- "$cur")); return; fi`,
      ...(spec.words.length > 0 ? [`      COMPREPLY=($(compgen -W '${spec.words.join(' ')}' -- "$cur"))`] : []),
      ...files,
      '      ;;',
    ].join('\n');
  });
  return `# tandem: completion for bash
_tandem() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${specs.map(({ name }) => name).join(' ')} help --version --help' -- "$cur"))
    return
  fi
  if [[ $command == run ]]; then
    for ((i = 2; i < COMP_CWORD; i++)); do
      case \${COMP_WORDS[i]} in ${agents(specs).join('|')}|--) return ;; esac
    done
  fi
  case $command in
    help) COMPREPLY=($(compgen -W '${specs.map(({ name }) => name).join(' ')}' -- "$cur")) ;;
${cases.join('\n')}
  esac
}
complete -o default -F _tandem tandem
`;
}

function zsh(specs: readonly CommandSpec[]): string {
  const cases = specs.map((spec) => {
    const values = spec.options
      .filter((option) => option.values.length > 0)
      .map((option) => `        ${option.name}) compadd -- ${option.values.join(' ')}; return ;;`);
    return [
      `    ${spec.name})`,
      ...(values.length > 0 ? ['      case $words[CURRENT-1] in', ...values, '      esac'] : []),
      `      if [[ $PREFIX == -* ]]; then compadd -- ${names(spec)}; return; fi`,
      ...(spec.words.length > 0 ? [`      compadd -- ${spec.words.join(' ')}`] : []),
      ...(spec.files === 'files' ? ['      _files'] : spec.files === 'folders' ? ['      _files -/'] : []),
      '      ;;',
    ].join('\n');
  });
  const described = specs.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n');
  return `#compdef tandem
# tandem: completion for zsh
_tandem() {
  local -a commands
  local i
  commands=(
${described}
    'help:more about one command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if [[ $words[2] == run ]]; then
    for ((i = 3; i < CURRENT; i++)); do
      case $words[i] in ${agents(specs).join('|')}|--) _files; return ;; esac
    done
  fi
  case $words[2] in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
(( $+functions[compdef] )) && compdef _tandem tandem
`;
}

function fish(specs: readonly CommandSpec[]): string {
  const seen = (name: string) => `'__fish_seen_subcommand_from ${name}'`;
  const lines = specs.flatMap((spec) => [
    `complete -c tandem -n __fish_use_subcommand -f -a ${spec.name} -d ${quote(spec.summary)}`,
    ...spec.words.map((word) => `complete -c tandem -n ${seen(spec.name)} -f -a ${word}`),
    ...[...spec.options, ...COMMON].map(({ name, values, takesValue }) => {
      const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : takesValue ? ' -r' : ' -f';
      return `complete -c tandem -n ${seen(spec.name)} -l ${name.slice(2)}${value}`;
    }),
    ...(spec.files === 'none' ? [`complete -c tandem -n ${seen(spec.name)} -f`] : []),
    ...(spec.files === 'folders'
      ? [`complete -c tandem -n ${seen(spec.name)} -f -a '(__fish_complete_directories)'`]
      : []),
  ]);
  return `# tandem: completion for fish\n${lines.join('\n')}\n`;
}

function names({ options }: CommandSpec): string {
  return [...new Set([...options, ...COMMON].map(({ name }) => name))].join(' ');
}

function agents(specs: readonly CommandSpec[]): readonly string[] {
  return specs.find(({ name }) => name === 'run')?.words ?? [];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
