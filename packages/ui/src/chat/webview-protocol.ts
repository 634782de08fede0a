import type { FilePart, PanelRequest, PanelTell } from './protocol.ts';

/** What a panel in a webview asks of the editor around it, besides its host. */
export type EditorRequest =
  | { readonly do: 'open-file'; readonly path: string; readonly line?: number }
  | { readonly do: 'show-review'; readonly id: string }
  | { readonly do: 'copy'; readonly text: string }
  | { readonly do: 'save'; readonly name: string; readonly text: string }
  | { readonly do: 'files' }
  | { readonly do: 'selection' };

export type WebviewAsk = { readonly id: number; readonly ask: PanelRequest | EditorRequest };

/** What the panel knows of the editor; told whole whenever a part of it changes. */
export interface EditorState {
  readonly folders: readonly string[];
  /** Reviews that wait on the desk. */
  readonly reviews: readonly string[];
  readonly looking?: FilePart;
  /** The selection, or the file in front. */
  readonly selection?: FilePart;
}

export type WebviewMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly chat: PanelTell }
  | { readonly editor: EditorState }
  /** The keyboard goes to what waits for an answer, else to the field. */
  | { readonly focus: true }
  /** This conversation comes to the front. */
  | { readonly front: string }
  /** Goes along with what the user says next, in the conversation in front. */
  | { readonly attach: FilePart };
