import type { ClaudeLink } from './claude-link.ts';
import { type DialectName, discover, type Endpoint, endpointsOf } from './endpoint.ts';
import type { Locate } from './lifeline.ts';
import type { CompanionLink, LinkOptions } from './link.ts';
import { here, type Surroundings } from './surroundings.ts';

export interface ConnectOptions extends LinkOptions {
  /** Where to look from; given a name instead of an endpoint. */
  readonly around?: Surroundings;
}

/** Somebody who knows where the companion is; asked again whenever the connection is lost. */
export interface Finder<D extends DialectName = DialectName> {
  readonly dialect: D;
  find(): readonly Endpoint[];
}

/**
 * Connects to the companion that the named agent would find from here, or to the one at an endpoint. With a name it is
 * looked for again whenever the connection is lost, so a companion that moved to another port is found.
 */
export async function connect(to: 'claude' | Finder<'claude'>, options?: ConnectOptions): Promise<ClaudeLink>;
export async function connect(to: Target, options?: ConnectOptions): Promise<CompanionLink>;
export async function connect(to: Target, options: ConnectOptions = {}): Promise<CompanionLink> {
  const link = await create(to, options);
  await link.start();
  return link;
}

type Target = DialectName | Endpoint | Finder;

/** The protocol library loads here, so that looking around stays light. */
async function create(to: Target, options: ConnectOptions): Promise<CompanionLink> {
  const dialect = typeof to === 'string' ? to : to.dialect;
  const locate = locator(to, options);
  if (dialect === 'claude') return new (await import('./claude-link.ts')).ClaudeLink(locate, options);
  return new (await import('./ide-link.ts')).IdeLink(dialect, locate, options);
}

function locator(to: Target, { around }: ConnectOptions): Locate {
  if (typeof to === 'string') return () => look(to, around ?? here());
  if ('find' in to) return () => ({ endpoints: to.find(), none: 'no companion fits' });
  return () => ({ endpoints: [to], none: '', fixed: true });
}

function look(dialect: DialectName, around: Surroundings): ReturnType<Locate> {
  const discovery = discover(dialect, around);
  return { endpoints: endpointsOf(dialect, discovery), none: discovery.note ?? 'no companion fits' };
}
