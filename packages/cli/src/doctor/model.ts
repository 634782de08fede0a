import type { Candidate, Discovery, Surroundings } from '@tandem/client';
import type { CompanionRecord, Mark } from '@tandem/core';
import type { AgentId, AgentProgram } from '../run/agents.ts';
import type { AgentSettings } from '../run/settings.ts';

/** `error`: the agent does not connect, or shows no diffs. `warning`: it may be the wrong one. `note`: good to know. */
export type Severity = 'error' | 'warning' | 'note';

export interface Finding {
  /** Stable: scripts and documents go by it. */
  readonly id: string;
  readonly severity: Severity;
  /** What was seen, in one line. */
  readonly evidence: string;
  /** What to do, in one line. */
  readonly remedy: string;
  readonly fix?: Fix;
}

export interface Fix {
  readonly what: string;
  /** Ours to repair without asking. */
  readonly ours: boolean;
  apply(): void | Promise<void>;
}

/** Looks at one agent's scene and says what is wrong with it. */
export type Cause = (scene: Scene) => readonly Finding[];

/** Everything about this machine that does not depend on the agent. */
export interface Machine {
  readonly around: Surroundings;
  readonly companions: readonly LivingCompanion[];
  readonly running: readonly RunningAgent[];
  /** How other processes of this user see the places that discovery depends on. */
  readonly others: readonly OtherEnvironment[];
  readonly isContainer: boolean;
  readonly isWsl: boolean;
  readonly hasPs: boolean;
}

/** One agent and all that bears on whether it connects from here. */
export interface Scene extends Machine {
  readonly agent: AgentProgram;
  /** The user asked for this one by name. */
  readonly named: boolean;
  readonly program: Program | undefined;
  readonly discovery: Discovery;
  /** The folders it looks in, in its order. */
  readonly folders: readonly SeenFolder[];
  /** Every file in them that could be a companion's. */
  readonly files: readonly SeenFile[];
  /** By the path of the candidate's file. */
  readonly probes: ReadonlyMap<string, Probe>;
  /** Whether anything listens on the port that its variable names. */
  readonly namedPort: { readonly port: number; readonly answers: boolean } | undefined;
  readonly settings: AgentSettings;
  /** Companions that would fit but are published where this terminal does not look. */
  readonly elsewhere: readonly Elsewhere[];
}

export interface Program {
  readonly path: string;
  readonly version?: string;
  /** Why it does not even tell its version. */
  readonly error?: string;
}

export interface LivingCompanion {
  readonly record: CompanionRecord;
  readonly status?: CompanionStatus;
}

export interface CompanionStatus {
  readonly dialects: readonly {
    readonly dialect: string;
    readonly files: readonly string[];
    readonly error?: string;
  }[];
  readonly links: readonly { readonly agent: string; readonly pid?: number }[];
}

export interface RunningAgent {
  readonly agent: AgentId;
  readonly pid: number;
  readonly cwd: string;
  readonly startedAt: number;
  /** Itself and everything it has started. */
  readonly family: readonly number[];
}

export interface OtherEnvironment {
  readonly pid: number | undefined;
  readonly command: string;
  readonly home: string;
  readonly tmp: string;
  readonly claudeConfigDir: string | undefined;
  readonly qwenHome: string | undefined;
}

export interface SeenFolder {
  readonly path: string;
  readonly count: number;
  /** Why a companion refuses to write here. */
  readonly unsafe?: string;
  readonly mode?: number;
}

export interface SeenFile {
  readonly path: string;
  readonly modified: number;
  readonly uid: number;
  readonly mode: number;
  /** Who wrote it, if it was one of ours. */
  readonly mark?: Mark;
  /** Why nothing can be made of it. */
  readonly broken?: 'unreadable' | 'not JSON';
}

export type Probe =
  | { readonly answer: 'companion' }
  | { readonly answer: 'refused' | 'silent' | 'token' | 'host' | 'subprotocol' }
  | { readonly answer: 'other'; readonly what: string };

export interface Elsewhere {
  readonly variable: 'TMPDIR' | 'HOME' | 'CLAUDE_CONFIG_DIR' | 'QWEN_HOME';
  readonly here: string;
  readonly there: string;
  readonly candidate: Candidate;
  readonly who: string;
}

/** What one agent finds from here. */
export interface Diagnosis {
  readonly agent: AgentId;
  readonly name: string;
  readonly program: Program | undefined;
  /** Where it looks, in its own order, and what is there. */
  readonly looks: readonly { readonly where: string; readonly found: string }[];
  readonly candidates: readonly { readonly candidate: Candidate; readonly verdict: string }[];
  readonly chosen: Candidate | undefined;
  readonly why: string;
  readonly findings: readonly Finding[];
}
