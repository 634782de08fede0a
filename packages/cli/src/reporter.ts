import type { Companion, Link, LogLevel, Notice, Review } from '@tandem/core';
import { describeLink, describeReview } from '@tandem/core';
import { clock, paint, printable, shortPath, table } from './print.ts';

/** Tells whoever started `tandem serve` what happens. */
export interface Reporter {
  follow(companion: Companion): void;
  ready(companion: Companion, address?: string): void;
  notice(notice: Notice): void;
  log(level: LogLevel, message: string): void;
  stopped(): void;
}

/** One event a line, for a parent process. */
export class JsonReporter implements Reporter {
  follow(companion: Companion): void {
    const link = (state: string) => (each: Link) => this.#write({ event: 'link', state, link: describeLink(each) });
    const review = (each: Review, state = each.state as string) =>
      this.#write({ event: 'review', state, review: describeReview(each) });
    companion.links.joined.on(link('connected'));
    companion.links.updated.on(link('updated'));
    companion.links.left.on(link('gone'));
    companion.desk.opened.on((each) => review(each));
    companion.desk.amended.on((each) => review(each, 'amended'));
    companion.desk.decided.on((each) => review(each));
  }

  /** The environment is complete, secrets included: it is for the terminals that the parent opens. */
  ready(companion: Companion, address?: string): void {
    this.#write({
      event: 'ready',
      ...(address === undefined ? {} : { url: address }),
      pid: process.pid,
      port: companion.port,
      workspaceFolders: companion.folders,
      dialects: companion.published.map((each) => ({
        dialect: each.dialect.id,
        agent: each.dialect.agent,
        discoveryFile: each.files[0],
        files: each.files,
        environment: each.environment,
        start: each.dialect.start.line,
        ...(each.error === undefined ? {} : { error: each.error }),
      })),
    });
  }

  notice({ level, message, review }: Notice): void {
    this.#write({ event: 'notice', level, message, ...(review ? { review: review.id } : {}) });
  }

  log(level: LogLevel, message: string): void {
    this.#write({ event: 'log', level, message });
  }

  stopped(): void {
    this.#write({ event: 'stopped' });
  }

  #write(event: object): void {
    process.stdout.write(`${JSON.stringify(event)}\n`);
  }
}

/** A quiet live log for a person. */
export class TextReporter implements Reporter {
  follow(companion: Companion): void {
    companion.links.joined.on((link) => this.#line(`${who(link)} connected`, 'green'));
    companion.links.left.on((link) => this.#line(`${who(link)} is gone`, 'dim'));
    companion.desk.opened.on((review) => {
      const where = review.outsideWorkspace ? ' (outside the workspace)' : '';
      this.#line(`review ${review.id}: ${review.agent} proposes ${shortPath(review.path)}${where}`, 'cyan');
      if (companion.desk.reviews.length === 1) this.#hint(`tandem review show ${review.id}, then accept or reject`);
    });
    companion.desk.decided.on((review) => {
      const how = review.withdrawn ? `closed, ${review.withdrawn}` : `${review.state} by the ${review.decidedBy}`;
      this.#line(`review ${review.id}: ${how}`, 'dim');
    });
  }

  ready(companion: Companion, address?: string): void {
    const folders = companion.folders.map((folder) => printable(folder)).join(', ');
    console.log(`${paint('bold', 'Tandem')} serves ${folders} on 127.0.0.1:${companion.port}\n`);
    const rows = companion.published.map((each) =>
      each.error === undefined
        ? [`  ${each.dialect.agent}`, shortPath(each.files[0] ?? '')]
        : [`  ${each.dialect.agent}`, paint('red', `not published: ${printable(each.error)}`)],
    );
    console.log(table(rows));
    if (address !== undefined) console.log(`\nThe workbench, for one browser:\n\n  ${paint('bold', address)}`);
    console.log('\nStart an agent in another terminal, in this folder:\n');
    const lines = companion.published
      .filter((each) => each.error === undefined)
      .map(({ dialect: { start } }) => [`  ${start.line}`, start.once ? `(the first time: ${start.once})` : '']);
    console.log(`${table(lines)}\n`);
    console.log(paint('dim', 'Ctrl-C stops. tandem help lists what other terminals can do.'));
  }

  notice({ level, message }: Notice): void {
    this.#line(message, level === 'info' ? 'dim' : 'yellow');
  }

  log(level: LogLevel, message: string): void {
    this.#line(message, level === 'error' ? 'red' : 'yellow');
  }

  stopped(): void {
    this.#line('stopped', 'dim');
  }

  #line(text: string, style: Parameters<typeof paint>[0]): void {
    console.log(`${paint('dim', clock(new Date()))}  ${paint(style, printable(text))}`);
  }

  #hint(text: string): void {
    console.log(paint('dim', `          ${text}`));
  }
}

function who(link: Link): string {
  const { name, version, pid } = link.agent;
  return `${name}${version ? ` ${version}` : ''}${pid === undefined ? '' : ` (pid ${pid})`}`;
}
