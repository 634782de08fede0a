// The agents by their commands, on the PATH of whoever looks for them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../agents.ts';
import type { FakeModel } from '../models/model.ts';
import { agentCommand } from '../paths.ts';
import type { Sandbox } from '../sandbox.ts';
import { claudeOverAcp } from './claude-acp.ts';

/** The commands that a chat looks for. */
export type Program = 'qwen' | 'gemini' | 'claude-agent-acp';

/** A folder in the sandbox's home with these commands in it. */
export function programsIn(sandbox: Sandbox, programs: readonly Program[]): string {
  const bin = join(sandbox.home, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of programs) {
    const { command, env } = wordsOf(name);
    const words = [...Object.entries(env).map(([key, value]) => `${key}='${value}'`), 'exec'];
    const line = [...words, ...command.map((word) => `'${word}'`)].join(' ');
    writeFileSync(join(bin, name), `#!/bin/sh\n${line} "$@"\n`, { mode: 0o755 });
  }
  return bin;
}

function wordsOf(name: Program): { command: readonly string[]; env: Record<string, string> } {
  if (name === 'claude-agent-acp') return claudeOverAcp();
  return { command: agentCommand(name), env: {} };
}

/** Gemini CLI and Claude Code, with a model of their own each. */
export class OtherModels {
  readonly gemini: FakeModel;
  readonly claude: FakeModel;

  private constructor(gemini: FakeModel, claude: FakeModel) {
    this.gemini = gemini;
    this.claude = claude;
  }

  static async start(): Promise<OtherModels> {
    return new OtherModels(await agents.gemini.startModel(), await agents.claude.startModel());
  }

  get env(): Record<string, string> {
    return { ...agents.gemini.environment(this.gemini), ...agents.claude.environment(this.claude) };
  }

  settle(sandbox: Sandbox): void {
    agents.gemini.settle(sandbox);
    agents.claude.settle(sandbox);
  }

  async close(): Promise<void> {
    await Promise.all([this.gemini.close(), this.claude.close()]);
  }
}
