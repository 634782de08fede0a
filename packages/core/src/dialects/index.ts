import { claude } from './claude/dialect.ts';
import { gemini } from './gemini/dialect.ts';
import type { Dialect } from './port.ts';
import { qwen } from './qwen/dialect.ts';

/** Every dialect there is: a new one adds its folder and its line here. */
export const DIALECTS: readonly Dialect[] = [claude, gemini, qwen];
