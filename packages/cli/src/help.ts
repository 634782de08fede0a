import { FINDING_HELP } from './help-finding.ts';

const OVERVIEW = `Tandem: your editor works with every terminal coding agent.

Usage: tandem <command> [options]

  workbench [folder…]      open an editor and review desk in the browser, and serve the folder
  serve [folder…]          serve this folder to Claude Code, Gemini CLI and Qwen Code
  run AGENT [args…]        start an agent linked to this folder's companion
  status                   what is published and who is connected
  review list              reviews that wait for a decision
  review show [id]         one review as a diff
  review accept [id]       accept it, as proposed or with your own text
  review reject [id]       reject it
  open FILE                make FILE the active file the agents know of
  select FILE:3:1-5:10     select text in it
  send FILE[:3-5]          send a file or lines of it to one agent
  share [auto|explicit|off]  what agents are told without being asked
  ledger                   what was sent to whom
  env [agent]              the variables that lead an agent here, for eval
  proxy                    publish an editor whose companion serves Claude Code only to every agent
  mcp                      the editor's tools for any agent with MCP, on standard input and output
  doctor [agent]           why an agent does not connect, and what to do
  install [editor…]        put Tandem's extension into your editor; uninstall takes it out
  completion SHELL         completion for bash, zsh or fish

  tandem help <command>    more about one command
  --json                   machine-readable output, with every command
  --port N                 which companion, where several serve this folder
  --version

Exit codes: 0 done, 1 could not be done, 2 wrong usage, 3 no companion or more than one.`;

const COMMANDS: Readonly<Record<string, string>> = {
  ...FINDING_HELP,
  workbench: `Usage: tandem workbench [folder…] [options]

An editor, the review desk and every agent in one local page. Serves the folders (default: this one) until Ctrl-C.

  --no-open           print the address instead of opening a browser
  --url               print a new address for the workbench that runs here already
  --name, --port, --no-agent, --share, --deny, --no-handover   as with tandem serve
  --json              one event a line; ready carries the address

The address is good for one browser, once. Another one gets its own with --url.

Examples:
  tandem workbench
  tandem workbench --url`,
  serve: `Usage: tandem serve [folder…] [options]

Serves the folders (default: this one) until Ctrl-C. Agents that are started below them connect by themselves.

  --name NAME         what agents show as the editor's name (default: Tandem)
  --port N            listen on this port instead of a free one
  --no-agent ID       leave out claude, gemini or qwen; may be given several times
  --share MODE        auto: what you open and select (default); explicit: only what you send; off: nothing
  --deny GLOB         never share matching files, besides keys, .env and .git; may be given several times
  --no-handover       do not leave connected agents to the companion that comes next
  --json              one event a line: ready, link, review, notice, stopped

Examples:
  tandem serve
  tandem serve ~/api ~/web --no-agent qwen --deny 'secrets/'`,
  status: `Usage: tandem status [--watch] [--json] [--port N]

The companion of this folder: what it publishes, who is connected, how many reviews wait.

  --watch             keep showing it until Ctrl-C; with --json one line for each change

Examples:
  tandem status
  tandem status --watch`,
  review: `Usage: tandem review list
       tandem review show [id]
       tandem review accept [id] [--content-file F | --edit]
       tandem review reject [id]
       tandem review edit [id]
       tandem review restore <id>

Without an id the only waiting review is meant.

  --content-file F    accept the text in F instead of the proposal (- reads standard input)
  --edit              open the proposal in $VISUAL or $EDITOR and accept what you save
  --json

\`edit\` changes the proposed text and leaves the review open. \`restore\` writes your edits of a review that an agent
closed without taking them.

Examples:
  tandem review list
  tandem review show 3
  tandem review accept 3 --edit`,
  open: `Usage: tandem open FILE [--json]

Makes FILE the active file the agents know of.

Example:
  tandem open src/a.ts`,
  select: `Usage: tandem select FILE:LINE:COLUMN[-LINE:COLUMN] [--json]

Lines and columns count from 1; the end column is the first one that is not selected.

Example:
  tandem select src/a.ts:3:1-5:10`,
  send: `Usage: tandem send FILE[:LINE[-LINE]] [--to AGENT] [--json]

Sends a file, or lines of it, to one agent. Claude Code gets an @-mention in its prompt; Gemini CLI and Qwen Code get
it as the active file with these lines selected.

  --to AGENT          claude, gemini, qwen or a link's id from tandem status; needed where several are connected

Examples:
  tandem send src/a.ts:3-5
  tandem send README.md --to claude`,
  share: `Usage: tandem share [auto|explicit|off] [--json]

What agents are told without being asked: auto (what you open and select), explicit (only what you send), off (nothing).
Without a mode it says which one holds.

Example:
  tandem share explicit`,
  env: `Usage: tandem env [claude|gemini|qwen] [--shell bash|zsh|fish|nu|pwsh] [--json]

Prints the variables with which agents choose this folder's companion where several fit, or where a terminal belongs to
another editor. They hold a token: use them with eval rather than on the screen.

  --shell SHELL       how to write them (default: from $SHELL)

Examples:
  eval "$(tandem env)"
  tandem env claude --shell fish | source`,
  proxy: `Usage: tandem proxy [--port N | --lock FILE] [--map /remote=/local] [options]

Connects to a companion that somebody else wrote for Claude Code, found by its lock in ~/.claude/ide, and publishes its editor to
Gemini CLI and Qwen Code. Diffs open in that editor. Runs until Ctrl-C, or until the editor is gone.

  --port N            the companion of that port, where several serve this folder
  --lock FILE         the companion of that lock file
  --map /remote=/local  the editor's name of a folder, and ours; may be given several times
  --with-claude       publish to Claude Code as well; it then needs the variables of tandem env to choose
  --listen N          listen on this port instead of a free one
  --name, --no-agent, --share, --deny, --no-handover, --json   as with tandem serve

Examples:
  tandem proxy
  tandem proxy --lock /mnt/home/.claude/ide/41234.lock --map /home/me/src=/mnt/src`,
  mcp: `Usage: tandem mcp [--folder DIR] [--port N]
       tandem mcp register claude|gemini|qwen [--yes] [--name NAME]
       tandem mcp unregister claude|gemini|qwen [--yes] [--name NAME]

A standard MCP server on standard input and output. It attaches to this folder's companion and offers the selection, open
editors, diagnostics, opening a file, showing a diff and waiting for the decision, the workspace folders and the ledger.

\`register\` writes it into the agent's own configuration: it shows the change and asks first. \`unregister\` takes it out.

  --folder DIR        attach to the companion of DIR instead of the current folder
  --name NAME         what the agent calls the server (default: tandem)
  --yes               do not ask

Examples:
  tandem mcp register gemini
  npx @modelcontextprotocol/inspector tandem mcp`,
  ledger: `Usage: tandem ledger [--json]

What left this machine's editor: when, to whom, which files and what text. Kept in memory, the last 500.

Example:
  tandem ledger --json`,
};

export function help(command?: string): string {
  return (command !== undefined && Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined) ?? OVERVIEW;
}

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);
