export type { Candidate, Discovery } from './candidates.ts';
export { discoverClaude } from './claude.ts';
export { MAX_FILES, MAX_SELECTION, normaliseOpenFiles, type OpenFile } from './context.ts';
export { discoverGemini } from './gemini.ts';
export { ideProcess } from './ide-process.ts';
export { discoverQwen } from './qwen.ts';
export { here, type Processes, type ProcessInfo, type Surroundings } from './surroundings.ts';
