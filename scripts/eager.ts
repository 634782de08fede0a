/**
 * Named by the bundler's `inject`, so that every part of the command has the core's light shell in reach. The shell then
 * ends up in one file instead of a dozen, each of which costs about a millisecond when it starts.
 */
import '../packages/core/src/index.ts';
