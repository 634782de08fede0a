const EDITORS = 'vscode, vscode-insiders, vscodium, cursor, windsurf, antigravity, positron, trae, code-server';

/** Help for the commands by which agents, editors and companions find each other. */
export const FINDING_HELP: Readonly<Record<string, string>> = {
  run: `Usage: tandem run [options] claude|gemini|qwen [arguments…]
       tandem run [options] -- COMMAND [arguments…]
       tandem run --undo [agent…]

Starts an agent linked to this folder's companion. Where none runs, one is started for as long as the agent runs and its
address is printed. Everything after the agent's name is the agent's; its exit code is this command's, 128 + n after signal n.

The first time it shows what the agent's own settings need (IDE mode on, edits shown before they are applied), asks, and
remembers the answer. Nothing is changed without a yes, and nothing where nobody can be asked.

  --with workbench|serve   what to start where no companion runs (default: workbench)
  --no-open           print the workbench's address without opening a browser
  --port N            which companion, where several serve this folder (default: the newest)
  --ask               show and ask again
  --undo              take back what was changed, for the named agents or for all
  --json              with --undo: what was undone

Examples:
  tandem run claude
  tandem run gemini --model gemini-2.5-pro
  tandem run --with serve qwen
  tandem run -- npx some-agent
  tandem run --undo gemini`,
  doctor: `Usage: tandem doctor [claude|gemini|qwen] [options]

What an agent that is started here would find, in the order in which it looks, which companion it would choose, and what
stands in the way: each cause with an id, the evidence and what to do. docs/doctor.md lists them.

  --fix               repair what is ours, and ask before anything else is changed
  --yes               with --fix: do not ask
  --json              the whole diagnosis

Exit codes: 0 nothing stands in the way, 1 something does, 2 wrong usage.

Examples:
  tandem doctor
  tandem doctor gemini --fix
  tandem doctor claude --json`,
  install: `Usage: tandem install [editor…] [options]

Installs Tandem's extension or plugin into the editors you name, or into the editor that this terminal belongs to. Without
either it lists the editors it finds.

  --list              the editors that are known, and where their commands are
  --vsix FILE         install this package instead of the one that came with tandem
  --json

Editors: ${EDITORS}.

Examples:
  tandem install
  tandem install vscode cursor
  tandem install --list`,
  uninstall: `Usage: tandem uninstall [editor…] [--json]

Takes Tandem's extension or plugin out of the editors you name, or of the editor that this terminal belongs to.

Editors: ${EDITORS}.

Example:
  tandem uninstall vscode`,
  completion: `Usage: tandem completion bash|zsh|fish

Prints what makes the shell complete tandem's commands and options.

Examples:
  eval "$(tandem completion bash)"                                   # in ~/.bashrc
  eval "$(tandem completion zsh)"                                    # in ~/.zshrc, after compinit
  tandem completion fish > ~/.config/fish/completions/tandem.fish`,
};
