import { isPid, isPort } from './process.ts';

/** The key we put into every discovery file, so that we know our own again; agents ignore keys they do not know. */
export const MARK = 'tandem';

export interface Mark {
  readonly version: string;
  /** The companion's process, not the editor's. */
  readonly pid: number;
  readonly port: number;
}

export function markOf(content: Record<string, unknown> | undefined): Mark | undefined {
  const mark = content?.[MARK] as Partial<Mark> | undefined;
  return isPid(mark?.pid) && isPort(mark?.port) ? (mark as Mark) : undefined;
}
