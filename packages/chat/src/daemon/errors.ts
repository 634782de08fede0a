import { ChatError } from '../connection.ts';
import { WorkspaceMismatch } from './client.ts';
import { DaemonRefusal, DaemonUnreachable } from './http.ts';

/** Any failure as one that can be shown; `clean` takes out what must not be. */
export function inWords(error: unknown, clean: (message: string) => string): ChatError {
  if (error instanceof ChatError) return error;
  const message = clean(error instanceof Error ? error.message : String(error));
  if (error instanceof WorkspaceMismatch) return new ChatError('workspace-mismatch', message);
  if (error instanceof DaemonUnreachable) return new ChatError('not-connected', message);
  if (!(error instanceof DaemonRefusal)) return new ChatError('failed', message);
  if (error.status === 401) return new ChatError('unauthorised', 'the daemon does not accept the token');
  if (error.code === 'workspace_mismatch') return new ChatError('workspace-mismatch', message);
  if (error.code === 'prompt_queue_full') {
    const count = error.body.limit ?? 'Too many';
    return new ChatError('queue-full', `${count} prompts wait already; take one back or wait`);
  }
  return new ChatError(error.status === 404 ? 'not-found' : 'refused', message);
}
