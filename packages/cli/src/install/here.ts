import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { here, ideProcess } from '@tandem/client';
import { detectEditor } from './detect.ts';
import type { Machine, Platform } from './editors.ts';

/** The machine we are on. */
export function thisMachine(): Machine {
  const platform = (['linux', 'darwin', 'win32'] as const).find((each) => each === process.platform) ?? 'linux';
  return { platform: platform as Platform, env: process.env, home: homedir(), exists: existsSync };
}

/** The editor that this terminal belongs to. */
export function editorHere(): string | undefined {
  const around = here();
  const guess = detectEditor(around.env);
  // Only that family needs to be told apart by its process, which costs a few calls of ps.
  if (guess !== 'vscode') return guess;
  return detectEditor(around.env, around.processes.look(ideProcess(around))?.command);
}
