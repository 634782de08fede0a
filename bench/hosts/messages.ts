/** What the bench asks of a host process, one key a message. */
export interface Asks {
  open: readonly string[];
  memory: true;
  /** CPU and timers while nothing happens. */
  idle: { readonly ms: number };
  /** Updates one by one past the debounce; every so many it waits until all links have them. */
  broadcast: { readonly from: number; readonly count: number; readonly batch: number };
  /** All links have the update. */
  seen: number;
  /** Updates through the debounce, one a millisecond. */
  storm: { readonly from: number; readonly count: number };
  loaded: true;
}

export interface Answers {
  ready: {
    readonly startMs: number;
    readonly port: number;
    readonly tokens: { readonly http: string; readonly socket?: string };
  };
  opened: true;
  memory: { readonly rss: number; readonly heapUsed: number };
  idle: Idle;
  /** Update number so-and-so was sent. */
  sent: number;
  broadcast: { readonly cpuMs: number };
  storm: { readonly cpuMs: number };
  /** Files of JavaScript that were compiled so far. */
  loaded: readonly string[];
  selection: { readonly [series: string]: readonly number[] };
}

export interface Idle {
  readonly cpuMs: number;
  /** Timers that wait at the end. */
  readonly waiting: readonly TimerInfo[];
  /** Timers that were made in that time. */
  readonly made: readonly TimerInfo[];
  readonly resources: readonly string[];
}

export interface TimerInfo {
  readonly ms: number;
  readonly repeats: boolean;
  /** Made by Node's own modules. */
  readonly internal: boolean;
  readonly where: string;
}
