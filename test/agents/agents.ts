// Everything in which the three agents differ, as far as the scenarios can see it.
import { existsSync } from 'node:fs';
import * as anthropic from './models/anthropic.ts';
import * as gemini from './models/gemini.ts';
import type { FakeModel } from './models/model.ts';
import * as openai from './models/openai.ts';
import type { AgentName } from './paths.ts';
import type { Sandbox } from './sandbox.ts';
import type { pause } from './wait.ts';

export interface AgentProfile {
  name: AgentName;
  startModel(): Promise<FakeModel>;
  /** Settings a user of an editor companion has: signed in, folder trusted, IDE mode on, edits are asked for. */
  settle(sandbox: Sandbox): void;
  environment(model: FakeModel): Record<string, string>;
  args: string[];
  /** The input line is there. */
  ready: RegExp;
  /** The terminal's own question about an edit, its first choice being "yes, once". */
  asks: RegExp;
  /** How long after the question keys count. */
  asksGuard: Parameters<typeof pause>[0];
  /** What the terminal says after a rejected edit of this file. */
  rejected(name: string): RegExp;
  /** The agent shows by itself, or when asked, that it knows of two open files and the selected lines. */
  contextShown: { ask?: string; pattern: RegExp };
  /** Whether a yes in the terminal takes the text that the user changed in the review. */
  takesEditsFromTerminal: boolean;
  /** A companion that stops with a review open leaves the question to the terminal; the others take it as a no. */
  keepsAsking: boolean;
  /** How a connection that broke without a goodbye comes back: by itself, or by a command the user types. */
  reconnect?: string;
  /** What the model reads about the selected lines 2 to 3 of a file. */
  selection(path: string, text: string): string[];
  /** What the model reads about a file that is open but not active; Claude Code is told of the active one only. */
  openFile?(path: string): string;
  /** What the model reads when the user made `text` of its proposal before accepting it. */
  amended(text: string): RegExp;
}

const claude: AgentProfile = {
  name: 'claude',
  startModel: anthropic.start,
  settle(sandbox) {
    sandbox.writeHome('.claude.json', {
      hasCompletedOnboarding: true,
      autoConnectIde: true,
      projects: { [sandbox.workspace]: { hasTrustDialogAccepted: true } },
    });
  },
  environment: (model) => ({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_AUTH_TOKEN: 'fake',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL: '1',
  }),
  // Its default mode applies edits without asking.
  args: ['--permission-mode', 'manual'],
  ready: /\? for shortcuts|manual mode/i,
  asks: /Do you want to (make this edit|create|overwrite)/,
  asksGuard: 'claudePromptGuard',
  rejected: (name) => new RegExp(`User rejected (update|write) to ${name}`),
  contextShown: { pattern: /2 lines selected/ },
  takesEditsFromTerminal: false,
  keepsAsking: true,
  selection: (path, text) => [`The user selected the lines 2 to 3 from ${path}:\n${text}`],
  amended: () => /The user modified your proposed changes/,
};

const geminiCli: AgentProfile = {
  name: 'gemini',
  startModel: gemini.start,
  settle(sandbox) {
    sandbox.writeHome('.gemini/settings.json', {
      ide: { enabled: true, hasSeenNudge: true },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // A named model saves the router's own question to the model.
      model: { name: 'gemini-2.5-flash' },
    });
  },
  environment: (model) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: model.url,
    NO_BROWSER: '1',
    // In a container it would look for the companion on the host, unless it believes in an SSH session.
    ...(existsSync('/.dockerenv') || existsSync('/run/.containerenv') ? { SSH_CONNECTION: 'x' } : {}),
  }),
  args: [],
  ready: /Type your message/,
  asks: /Allow once/,
  asksGuard: 'promptDrawn',
  rejected: (name) => new RegExp(`${name}.*→ Rejected`),
  contextShown: { pattern: /2 open files/ },
  takesEditsFromTerminal: true,
  keepsAsking: false,
  reconnect: '/ide enable',
  selection: (path, text) => [`"path": ${JSON.stringify(path)}`, `"selectedText": ${JSON.stringify(text)}`],
  openFile: (path) => JSON.stringify(path),
  amended: (text) => new RegExp(`modified the \`new_string\` content to be: .*${text}`),
};

const qwen: AgentProfile = {
  name: 'qwen',
  startModel: openai.start,
  settle(sandbox) {
    sandbox.writeHome('.qwen/settings.json', {
      $version: 4,
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      memory: { enableManagedAutoMemory: false },
      // A suggested next prompt would stand in the input line.
      ui: { autoModeAcknowledged: true, enableFollowupSuggestions: false },
      ide: { enabled: true, hasSeenNudge: true },
      // Its default mode applies edits without asking.
      tools: { approvalMode: 'default' },
    });
  },
  environment: (model) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: 'fake' }),
  args: [],
  ready: /Type your message/,
  asks: /Apply this change\?/,
  asksGuard: 'promptDrawn',
  rejected: (name) => new RegExp(`- (Edit|WriteFile) ${name}`),
  contextShown: { ask: '/ide status', pattern: /Open files:/ },
  takesEditsFromTerminal: false,
  keepsAsking: false,
  reconnect: '/ide enable',
  selection: (path, text) => [`Path: ${path}`, text],
  openFile: (path) => `  - ${path}`,
  amended: (text) => new RegExp(`has been updated[^]*${text}`),
};

export const agents: Record<AgentName, AgentProfile> = { claude, gemini: geminiCli, qwen };
