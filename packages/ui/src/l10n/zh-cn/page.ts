import { APP } from './app.ts';
import { CHAT } from './chat.ts';
import { HOST } from './host.ts';
import { PHRASES } from './phrases.ts';
import { REVIEW } from './review.ts';
import { WORKBENCH } from './workbench.ts';

/** Everything that the workbench's page says, and is told. */
export const texts = { ...CHAT, ...REVIEW, ...APP };
export const heard = { ...HOST, ...WORKBENCH };
export const phrases = PHRASES;
