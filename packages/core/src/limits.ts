/** Past a limit the one who asked gets a clear error and everybody else goes on (ALL-11). */
export interface Limits {
  readonly messageBytes: number;
  readonly links: number;
  /** Connections that have not introduced themselves yet. */
  readonly strangers: number;
  readonly openReviews: number;
  readonly openReviewsPerLink: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly handshakeMs: number;
  readonly keepAliveMs: number;
  /** How long an agent may be without its stream before it counts as gone; longer than it is told to wait. */
  readonly streamGraceMs: number;
  /** What a stream is told to wait before it comes back. */
  readonly retryMs: number;
  /**
   * The same when the companion stops: long enough for an editor to reload its window on a slow day, because an agent
   * that knocks too early shows "disconnected" and stays so. Claude Code tries for as long by itself.
   */
  readonly restartMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  messageBytes: 64 * 1024 * 1024,
  links: 256,
  strangers: 128,
  openReviews: 256,
  openReviewsPerLink: 32,
  headersMs: 10_000,
  bodyMs: 60_000,
  handshakeMs: 15_000,
  keepAliveMs: 25_000,
  streamGraceMs: 10_000,
  retryMs: 8_000,
  restartMs: 15_000,
};
