import { CHAT } from './chat.ts';
import { HOST } from './host.ts';

/** What the chat panel says, and what it is told. */
export const texts = CHAT;
export const heard = HOST;
