export { type LineNote, notesPrompt } from './notes-prompt.ts';
export type { ReviewPosition, ReviewViewOptions } from './options.ts';
export { ReviewView } from './review-view.ts';
export type { Mode as ReviewMode } from './state.ts';
