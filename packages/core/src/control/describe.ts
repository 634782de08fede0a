import type { Review } from '../editor/review.ts';
import type { Link } from '../links.ts';

/** How reviews and links look in JSON, wherever they are printed. */
export function describeReview(review: Review) {
  return {
    id: review.id,
    agent: review.agent,
    path: review.path,
    state: review.state,
    openedAt: iso(review.openedAt),
    link: review.link,
    outsideWorkspace: review.outsideWorkspace,
    ...(review.decidedBy ? { decidedBy: review.decidedBy } : {}),
    ...(review.withdrawn ? { withdrawn: review.withdrawn } : {}),
  };
}

export function describeLink(link: Link) {
  const { id, name, version, pid } = link.agent;
  return {
    id: link.id,
    agent: id,
    name,
    ...(version === undefined ? {} : { version }),
    ...(pid === undefined ? {} : { pid }),
    since: iso(link.since),
    ...(link.lastError === undefined ? {} : { lastError: link.lastError }),
  };
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}
