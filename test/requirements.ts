/**
 * Every behaviour that somebody can check. Tests cite the ids in their titles; `scripts/gate.ts` fails on an id that no test
 * cites and on a test that cites an unknown one.
 *
 * Source: `qwen-spec`, `gemini-spec`, `claude-doc` and `daemon-draft` are the documents the work began from, `seen` is what
 * the real program does, `us` is our own bar.
 */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly behaviour: string;
  /** Why no test cites it yet. */
  readonly planned?: string;
}

export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: 'ALL-1',
    source: 'qwen-spec gemini-spec claude-doc',
    behaviour: 'The server listens on 127.0.0.1 only, on a port the system assigns (port 0).',
  },
  {
    id: 'ALL-2',
    source: 'qwen-spec gemini-spec claude-doc',
    behaviour:
      'Each dialect has a secret token of at least 128 random bits, new for each companion unless a restart adopts the old one (ALL-9); it is checked on every request in constant time. Missing or wrong: 401, nothing happens, nothing is logged that holds a token.',
  },
  {
    id: 'ALL-3',
    source: 'us',
    behaviour:
      'A request with an `Origin` header: 403. A `Host` other than 127.0.0.1, localhost or [::1] with our port: 403; names for containers (`host.docker.internal`) are an explicit opt-in.',
  },
  {
    id: 'ALL-4',
    source: 'us',
    behaviour:
      "A discovery file is never seen by anyone with wider permissions than 0600, in a directory of 0700 that is ours: created with O_EXCL under a temporary name, then renamed. A directory that is a symlink, another user's, or writable by others is refused with a clear message, for that dialect alone.",
  },
  {
    id: 'ALL-5',
    source: 'qwen-spec gemini-spec',
    behaviour:
      'On start: server first, then the discovery files. On stop (also SIGINT, SIGTERM, SIGHUP, end of stdin for a child): open reviews are answered, streams are ended cleanly, files are removed.',
  },
  {
    id: 'ALL-6',
    source: 'us',
    behaviour:
      "After kill -9, the next companion that starts removes the dead one's files, and only those: own user, our own mark, dead pid or refused port. Files of other programs are never touched.",
  },
  {
    id: 'ALL-7',
    source: 'us',
    behaviour:
      'N agents × M dialects are served at once. A decision, a selection or a mention reaches exactly the link it is meant for. The same path may be under review by two links at the same time.',
  },
  {
    id: 'ALL-8',
    source: 'us',
    behaviour: "When an agent's connection is gone for good, its open reviews close by themselves in the editor.",
  },
  {
    id: 'ALL-9',
    source: 'seen',
    behaviour:
      "Hot restart: a companion that comes back within a few seconds for the same editor and workspace reuses port and tokens and adopts the agents' session ids; the agents stay connected and a review afterwards works.",
  },
  {
    id: 'ALL-10',
    source: 'us',
    behaviour:
      'Every outgoing message is validated against its own schema before it is sent (one malformed notification disconnects Gemini and Qwen for good).',
  },
  {
    id: 'ALL-11',
    source: 'us',
    behaviour:
      'Limits: message size (default 64 MiB), links, open reviews per link, header and body time-outs. Past a limit: a clear error, and the others go on.',
  },
  {
    id: 'ALL-12',
    source: 'us',
    behaviour:
      'Unsaved text of a buffer is the left side of a review where the editor has it open and dirty, and the user is told.',
  },
  {
    id: 'ALL-13',
    source: 'us',
    behaviour:
      "Deny globs (default: `.env*`, private keys, `.git/`, plus the user's own) are applied before anything leaves: path, selection, diagnostics, open tabs. A selection is forgotten when its document closes.",
  },
  {
    id: 'ALL-14',
    source: 'us',
    behaviour:
      'A ledger keeps what was sent to which agent and when (in memory, bounded), and the user can look at it.',
  },
  {
    id: 'ALL-15',
    source: 'qwen-spec gemini-spec',
    behaviour:
      'Workspace folders: absolute real paths; folder added or removed at run time updates the discovery files and the agents.',
  },
  {
    id: 'GEM-1',
    source: 'gemini-spec',
    behaviour:
      'Discovery file `os.tmpdir()/gemini/ide/gemini-ide-server-<PID>-<PORT>.json`, PID of the editor process, directory made if missing.',
  },
  {
    id: 'GEM-2',
    source: 'gemini-spec seen',
    behaviour:
      'Its JSON: `port`, `workspacePath` (roots joined by the path delimiter, no empty segment), `authToken`, `ideInfo{name,displayName}`.',
  },
  {
    id: 'GEM-3',
    source: 'gemini-spec',
    behaviour:
      'For terminals: `GEMINI_CLI_IDE_SERVER_PORT`, `GEMINI_CLI_IDE_WORKSPACE_PATH`, and also `_AUTH_TOKEN`, `_PID`.',
  },
  {
    id: 'GEM-4',
    source: 'gemini-spec',
    behaviour:
      "One endpoint `/mcp`, a valid MCP server over streamable HTTP, `Authorization: Bearer`. The client's protocol version is echoed when known. `notifications/initialized` gets 202.",
  },
  {
    id: 'GEM-5',
    source: 'gemini-spec',
    behaviour:
      '`ide/contextUpdate` with an `IdeContext`, debounced 50 ms, on open, close, focus, cursor, selection; the first one as soon as the stream opens.',
  },
  {
    id: 'GEM-6',
    source: 'gemini-spec',
    behaviour:
      'Only files that exist on disk; `timestamp` of the last focus; cursor and selection only on the active file; 1-based line and character; at most 10 files and 16,384 characters leave us. Absent fields are absent, never null.',
  },
  { id: 'GEM-7', source: 'gemini-spec seen', behaviour: '`isTrusted` only if the editor has a real notion of trust.' },
  {
    id: 'GEM-8',
    source: 'gemini-spec',
    behaviour: '`openDiff {filePath,newContent}` answers `content: []` at once and opens a review.',
  },
  {
    id: 'GEM-9',
    source: 'gemini-spec seen',
    behaviour:
      "Accept: `ide/diffAccepted {filePath, content}` with the text after the user's own edits, path byte-equal to the request's. Reject or tab closed: `ide/diffRejected {filePath}`. Only to the link that asked. The companion never writes the file.",
  },
  {
    id: 'GEM-10',
    source: 'seen',
    behaviour:
      '`closeDiff {filePath, suppressNotification?}` closes the view and answers one text block holding JSON `{"content": …}`; with suppressNotification no notification follows.',
  },
  {
    id: 'GEM-11',
    source: 'seen',
    behaviour:
      '`openDiff` never fails once both tools are announced; where the editor cannot show diffs the two tools are not announced.',
  },
  {
    id: 'GEM-12',
    source: 'seen',
    behaviour:
      'An accept with empty text cannot be expressed: the user is told and the review stays open or is rejected.',
  },
  {
    id: 'GEM-13',
    source: 'seen',
    behaviour: 'Keep-alive bytes on the stream at least every 30 s; streams end with FIN and a `retry:` hint.',
  },
  {
    id: 'GEM-14',
    source: 'seen',
    behaviour:
      'The stuck lock after Ctrl-C heals: orphaned review answered as the CLI needs it, and the next edit opens its diff.',
  },
  {
    id: 'GEM-15',
    source: 'seen',
    behaviour: 'Line endings: LF from the agent against a CRLF file shows no spurious changes.',
  },
  {
    id: 'GEM-16',
    source: 'gemini-spec',
    behaviour:
      'Agent side: the order of discovery, workspace check, sorting by timestamp, one active file, truncation to 10 files and 16 KB, as a library that passes the same cases as the real CLI.',
  },
  {
    id: 'GEM-17',
    source: 'gemini-spec',
    behaviour:
      'Editor detection from environment and process, and an installer per editor that finds its command line and installs our extension or plugin, with a result that says success or what failed.',
  },
  {
    id: 'QWEN-1',
    source: 'seen',
    behaviour:
      'Discovery file `~/.qwen/ide/<PORT>.lock` (`$QWEN_HOME/ide`): `port`, `workspacePath`, `authToken`, `ppid` (a live process), `ideInfo`. Rewritten when the window gains focus (newest wins).',
  },
  {
    id: 'QWEN-2',
    source: 'qwen-spec',
    behaviour:
      'The documented file `os.tmpdir()/qwen/ide/qwen-code-ide-server-<PID>-<PORT>.json` with `port`, `workspacePath`, `authToken`, `ideInfo` is written as well.',
  },
  {
    id: 'QWEN-3',
    source: 'qwen-spec',
    behaviour: 'For terminals: `QWEN_CODE_IDE_SERVER_PORT` (and `_WORKSPACE_PATH`).',
  },
  {
    id: 'QWEN-4',
    source: 'qwen-spec',
    behaviour:
      "The rest as GEM-4 to GEM-15, with Qwen's differences: protocol 2025-11-25, an `isError` from openDiff falls back to the terminal, typed edits are lost when the terminal answers (the user is told and can apply them).",
  },
  {
    id: 'QWEN-5',
    source: 'qwen-spec',
    behaviour: "Agent side as GEM-16 with Qwen's order of discovery.",
  },
  {
    id: 'CLA-1',
    source: 'claude-doc',
    behaviour:
      'WebSocket server, JSON-RPC 2.0 text frames, MCP. Upgrade echoes the subprotocol `mcp`; header `x-claude-code-ide-authorization` is checked at the upgrade (401).',
  },
  {
    id: 'CLA-2',
    source: 'claude-doc',
    behaviour:
      'Lock file `~/.claude/ide/<PORT>.lock` (also `$CLAUDE_CONFIG_DIR/ide`): `pid` of the editor (an ancestor of its terminals), `workspaceFolders` (real paths, and the symlink\'s spelling where it differs), `ideName`, `transport: "ws"`, `authToken`.',
  },
  {
    id: 'CLA-3',
    source: 'claude-doc',
    behaviour: 'For terminals: `CLAUDE_CODE_SSE_PORT`, `ENABLE_IDE_INTEGRATION=true` (harmless today).',
  },
  {
    id: 'CLA-4',
    source: 'claude-doc',
    behaviour:
      '`selection_changed {text,filePath,fileUrl,selection{start,end,isEmpty}}`, 0-based, debounced; the first one only after the CLI can hear it (≥ 600 ms after its last handshake message), and again after each prompt, because the CLI forgets it.',
  },
  {
    id: 'CLA-5',
    source: 'claude-doc',
    behaviour:
      '`at_mentioned {filePath,lineStart?,lineEnd?}` to one chosen link, 0-based, keys left out rather than null.',
  },
  {
    id: 'CLA-6',
    source: 'claude-doc',
    behaviour:
      "All twelve tools with the seed's names, arguments and results: openFile (text patterns, both result forms), openDiff (blocking), getCurrentSelection, getLatestSelection, getOpenEditors, getWorkspaceFolders, getDiagnostics, checkDocumentDirty, saveDocument, close_tab, closeAllDiffTabs, executeCode.",
  },
  {
    id: 'CLA-7',
    source: 'seen',
    behaviour:
      'openDiff: accept = `FILE_SAVED` + the final text (LF); reject or tab closed by the user = `DIFF_REJECTED` + tab name; never `TAB_CLOSED`. For a new file the final newline survives. The companion never writes the file.',
  },
  {
    id: 'CLA-8',
    source: 'seen',
    behaviour:
      "close_tab is idempotent and also answers the pending openDiff; closeAllDiffTabs touches only this link's reviews.",
  },
  {
    id: 'CLA-9',
    source: 'seen',
    behaviour:
      'getDiagnostics with `uri` answers from a cache in well under 500 ms; without, within 2 s, waiting up to 1.5 s for fresh results after a write; URIs are `file://` + the raw path.',
  },
  {
    id: 'CLA-10',
    source: 'claude-doc',
    behaviour: 'executeCode runs Python in a real Jupyter kernel, state kept between calls, text and image results.',
  },
  {
    id: 'CLA-11',
    source: 'seen',
    behaviour:
      'Ping every 30 s; a lost link closes its reviews; reconnect with the same port and token works (5 tries in 15 s).',
  },
  {
    id: 'CLA-12',
    source: 'claude-doc',
    behaviour:
      'Bad arguments (wrong type, missing, NUL, relative path): a JSON-RPC or tool error that names the field.',
  },
  {
    id: 'DMN-1',
    source: 'daemon-draft',
    behaviour:
      "Settings `qwen-code.experimentalDaemon.enabled`, `.url`, `.token`; environment `QWEN_IDE_DAEMON_URL`. Off by default. The token may also come from the editor's secret storage.",
  },
  {
    id: 'DMN-2',
    source: 'daemon-draft',
    behaviour:
      '`DaemonClient` fetches `/capabilities`, checks protocol version, features and workspace (real paths); a mismatch is a clear message with both paths.',
  },
  {
    id: 'DMN-3',
    source: 'daemon-draft',
    behaviour:
      '`DaemonSessionClient.createOrAttach()`, load, resume; explicit approval mode on create and on every load (the daemon forgets it).',
  },
  {
    id: 'DMN-4',
    source: 'daemon-draft',
    behaviour:
      '`session.events()` over SSE with Last-Event-ID and the epoch; exactly once across forced drops; resync by load when the ring was left behind; a frame cut in the middle is not applied.',
  },
  {
    id: 'DMN-5',
    source: 'daemon-draft',
    behaviour:
      'The event mapping table of the seed, plus tool_call_update, turn_complete, turn_error, prompt_cancelled, approval_mode_changed, user questions, plan approval, queue events. Unknown events: debug log. What cannot be mapped shows a plain "not supported" notice.',
  },
  {
    id: 'DMN-6',
    source: 'daemon-draft',
    behaviour:
      'prompt, cancel, setModel, setMode, respondToPermission (session-scoped, first responder wins; a late vote closes the dialog without an error).',
  },
  {
    id: 'DMN-7',
    source: 'daemon-draft',
    behaviour:
      '`AcpConnection` (child process) is the default, `DaemonIdeConnection` its sibling; both feed the same callbacks, and a test runs the same conversation over both and compares.',
  },
  {
    id: 'DMN-8',
    source: 'daemon-draft',
    behaviour:
      "Locality is visible: where files, MCP servers, skills and credentials live, from the daemon's own diagnostics.",
  },
  {
    id: 'DMN-9',
    source: 'daemon-draft',
    behaviour:
      'The token, base URLs and keys never reach page or webview JavaScript; a canary test greps everything the page receives.',
  },
  {
    id: 'DMN-10',
    source: 'daemon-draft',
    behaviour:
      'session_died, daemon restart, network loss: the panel says so, reconnects by itself with backoff, and offers "continue" for an interrupted turn.',
  },
  {
    id: 'DMN-11',
    source: 'us',
    behaviour: 'A permission request that carries a diff opens as a review on the same desk as every other change.',
  },
  {
    id: 'DMN-12',
    source: 'us',
    behaviour:
      '"Start a daemon for me": own `qwen serve` on port 0 with a random token by environment, stopped with the editor.',
  },
  {
    id: 'ACP-1',
    source: 'daemon-draft us',
    behaviour:
      '`qwen --acp`, `gemini --acp`, `claude-agent-acp`, `codex-acp` and any other ACP command: initialize, new, load, resume, prompt, cancel, modes, models, config options, permissions, fs (unsaved buffers are read, -32002 for missing files).',
  },
  {
    id: 'ACP-2',
    source: 'seen',
    behaviour: 'One prompt at a time per session; further ones queue in the client and can be taken back.',
  },
  {
    id: 'ACP-3',
    source: 'seen',
    behaviour: 'An agent started by us gets its IDE mode switched off where both would fight over a diff (Gemini).',
  },
  {
    id: 'ACP-4',
    source: 'us',
    behaviour:
      'Editor context (active file, selection, unsaved text, mentions) travels as content blocks, under the same policy and ledger.',
  },
];
