/** How often it is looked; a person does not see the difference, and a companion does not feel it. */
const EVERY_MS = 500;

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const TOP = '\x1b[H';
const REST_OF_LINE = '\x1b[K';
const REST_OF_SCREEN = '\x1b[J';

/** Shows what `look` gives, whenever it has changed, until `left`: drawn in place on a terminal, else one after the other. */
export async function watch(left: Promise<void>, look: () => Promise<string>): Promise<void> {
  const isScreen = process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  let done = false;
  let wake = () => {};
  left.then(
    () => {
      done = true;
      wake();
    },
    () => {},
  );
  if (isScreen) process.stdout.write(ENTER);
  try {
    for (let shown: string | undefined; !done; ) {
      const now = await look();
      if (done) break;
      if (now !== shown) process.stdout.write(isScreen ? frame(now) : `${now}\n`);
      shown = now;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, EVERY_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    if (isScreen) process.stdout.write(LEAVE);
  }
}

/** Drawn over the last one rather than after a clear screen, which would flicker. */
function frame(text: string): string {
  const hint = '\n\nCtrl-C leaves.';
  return `${TOP}${`${text.trimEnd()}${hint}`.split('\n').join(`${REST_OF_LINE}\r\n`)}${REST_OF_LINE}${REST_OF_SCREEN}`;
}

/** Asked to go, or nobody reads any more. */
export function untilLeft(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    process.stdout.on('error', () => resolve());
  });
}
