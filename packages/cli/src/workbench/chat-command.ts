import { PANEL_REQUEST as SCHEMA } from '@tandem/chat/panel-request';
import type { PanelRequest } from '@tandem/ui/chat-protocol';
import type * as z from 'zod';

/** What a page may ask of a conversation. */
export const PANEL_REQUEST = SCHEMA as unknown as z.ZodType<PanelRequest>;
