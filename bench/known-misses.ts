/** Bars that are not met today, by the id of their row, with the reason. They are printed and do not fail the run. */
export const KNOWN_MISSES: Readonly<Record<string, string>> = {};
