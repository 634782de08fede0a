import { requireTextFile } from './editor/before.ts';
import type { Policy } from './editor/policy.ts';
import type { Editor } from './editor/port.ts';
import { textIn } from './editor/text.ts';
import type { Link, Links } from './links.ts';
import { Refusal } from './refusal.ts';

export interface Sending {
  readonly path: string;
  /** 0-based, inclusive. */
  readonly lines?: { readonly start: number; readonly end: number } | undefined;
  /** A link's id or an agent's; may be left out where only one is connected. */
  readonly to?: string | undefined;
}

/** Sends a file, or lines of it, to one agent, because the user says so. Resolves to the link that got it. */
export async function sendMention(
  house: { readonly policy: Policy; readonly editor: Editor; readonly links: Links },
  { path, lines, to }: Sending,
): Promise<Link> {
  if (!house.policy.allowsSending(path)) {
    const why = house.policy.sharing === 'off' ? 'sharing is off' : 'it is on the deny list';
    throw new Refusal(403, `${path} is not sent: ${why}`);
  }
  const link = recipient(house.links, to);
  const content = (await house.editor.unsavedText(path)) ?? (await requireTextFile(path).catch(refuse));
  link.mention?.({ path, text: lines ? linesOf(content, lines) : '', ...(lines ? { lines } : {}) });
  return link;
}

function refuse(error: Error): never {
  throw new Refusal(409, error.message);
}

function linesOf(content: string, lines: { start: number; end: number }): string {
  return textIn(content, {
    start: { line: lines.start, character: 0 },
    end: { line: lines.end, character: Number.MAX_SAFE_INTEGER },
  });
}

/** Never a guess between two. */
function recipient(all: Links, to: string | undefined): Link {
  const links = all.all.filter((link) => link.mention && (to === undefined || link.id === to || link.agent.id === to));
  const [first, ...others] = links;
  if (!first) throw new Refusal(404, to === undefined ? 'no agent is connected' : `no agent ${to} is connected`);
  if (others.length > 0) {
    const ids = links.map((link) => link.id).join(', ');
    throw new Refusal(409, `several agents are connected; name one with --to: ${ids}`);
  }
  return first;
}
