export type { LineNote } from './notes.ts';
export { REVIEW_KEYS } from './panes.ts';
export { type ReviewPosition, ReviewView, type ReviewViewOptions } from './review-view.ts';
export type { Mode as ReviewMode } from './state.ts';
