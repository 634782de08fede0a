// Waiting for conditions. Nothing here sleeps for luck: a wait names what it waits for and has a deadline.

/** What to print when a wait runs out: screens, log lines. */
export type Evidence = () => Promise<string>;

const pollMs = 50;

/** Polls until `look` gives something, and returns it. `look` may throw while the thing is not there yet. */
export async function waitFor<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 15_000,
  evidence?: Evidence,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms;
  let trouble = '';
  for (;;) {
    try {
      const found = await look();
      if (found) return found;
      trouble = '';
    } catch (error) {
      trouble = `\nlast error: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${ms} ms for: ${what}${trouble}\n${(await evidence?.()) ?? ''}`);
    }
    await delay(pollMs);
  }
}

/** The pauses that the real programs force on a test, because what they wait for cannot be seen from outside. */
const pauses = {
  /** Enter that follows typed text too closely is taken as part of a paste: a new line instead of "send". */
  beforeEnter: 400,
  /** Claude Code drops keys pressed in the first two seconds of its permission prompt, to stop slips of the hand. */
  claudePromptGuard: 2200,
  /** Gemini CLI and Qwen Code draw a prompt a moment before they listen to keys. */
  promptDrawn: 700,
  /** Claude Code looks for companions once a second and does not say so. */
  claudeLooks: 2500,
} as const;

export function pause(reason: keyof typeof pauses): Promise<void> {
  return delay(pauses[reason]);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
