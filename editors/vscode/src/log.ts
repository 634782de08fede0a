import type { Log } from '@tandem/core';
import type { LogOutputChannel } from 'vscode';

/** The output channel keeps levels and time itself. What reaches it has been redacted by the companion. */
export function logTo(channel: LogOutputChannel): Log {
  return (level, message) => channel[level](message);
}
