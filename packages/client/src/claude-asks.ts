import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { ToolResult } from './wire.ts';

/** What can be asked of a companion in Claude's dialect. Positions count from 1. */
export interface OpenEditor {
  readonly path: string;
  readonly active: boolean;
  readonly dirty: boolean;
  readonly language: string;
}

export interface FileDiagnostics {
  readonly path: string;
  readonly diagnostics: readonly ToldDiagnostic[];
}

export interface ToldDiagnostic {
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly source?: string;
  readonly code?: string;
}

export interface OpenFileRequest {
  readonly path: string;
  /** The text to select, from the first `startText` to the end of the first `endText` after it. */
  readonly startText?: string;
  readonly endText?: string;
  readonly preview?: boolean;
  readonly focus?: boolean;
}

interface Asked {
  call(tool: string, input?: object): Promise<ToolResult>;
}

const position = z.object({ line: z.number(), character: z.number() });
const DIAGNOSTICS = z.array(
  z.object({
    uri: z.string(),
    diagnostics: z.array(
      z.object({
        message: z.string(),
        severity: z.string().optional(),
        range: z.object({ start: position, end: position }),
        source: z.string().nullish(),
        code: z.union([z.string(), z.number()]).nullish(),
      }),
    ),
  }),
);
const TABS = z.object({
  tabs: z.array(
    z.object({
      uri: z.string(),
      isActive: z.boolean().optional(),
      isDirty: z.boolean().optional(),
      languageId: z.string().optional(),
    }),
  ),
});
const FOLDERS = z.object({ folders: z.array(z.object({ uri: z.string().optional(), path: z.string().optional() })) });
const SAVED = z.object({ success: z.boolean().optional(), saved: z.boolean().optional() });

export async function diagnostics(link: Asked, path?: string): Promise<FileDiagnostics[]> {
  const files = DIAGNOSTICS.parse(
    await ask(link, 'getDiagnostics', path === undefined ? {} : { uri: `file://${path}` }),
  );
  return files.map((file) => ({
    path: pathOf(file.uri),
    diagnostics: file.diagnostics.map(({ message, severity, range, source, code }) => ({
      message,
      severity: severityOf(severity),
      start: fromOne(range.start),
      end: fromOne(range.end),
      ...(source ? { source } : {}),
      ...(code === null || code === undefined ? {} : { code: String(code) }),
    })),
  }));
}

export async function openEditors(link: Asked): Promise<OpenEditor[]> {
  const { tabs } = TABS.parse(await ask(link, 'getOpenEditors', {}));
  // Diffs, settings and terminals are tabs too, but no files.
  return tabs
    .filter((tab) => tab.uri.startsWith('file:') || tab.uri.startsWith('/'))
    .map((tab) => ({
      path: pathOf(tab.uri),
      active: tab.isActive ?? false,
      dirty: tab.isDirty ?? false,
      language: tab.languageId ?? '',
    }));
}

export async function workspaceFolders(link: Asked): Promise<string[]> {
  const { folders } = FOLDERS.parse(await ask(link, 'getWorkspaceFolders', {}));
  return folders.flatMap(({ path, uri }) => path ?? (uri === undefined ? [] : pathOf(uri)));
}

export async function openFile(link: Asked, request: OpenFileRequest): Promise<void> {
  const { path, startText, endText, preview = false, focus = true } = request;
  const { isError, texts } = await link.call('openFile', {
    filePath: path,
    preview,
    startText: startText ?? '',
    endText: endText ?? '',
    makeFrontmost: focus,
  });
  if (isError) throw new Error(texts.join('\n') || `${path} could not be opened`);
}

export async function save(link: Asked, path: string): Promise<boolean> {
  const { success = false, saved = success } = SAVED.parse(await ask(link, 'saveDocument', { filePath: path }));
  return success && saved;
}

async function ask(link: Asked, tool: string, input: object): Promise<unknown> {
  const { texts, isError } = await link.call(tool, input);
  const [text = ''] = texts;
  if (isError) throw new Error(texts.join('\n') || `${tool} failed`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${tool} did not answer with JSON: ${text.slice(0, 100)}`);
  }
}

/** `file://` + the raw path, as Claude Code has it; a proper URI also does. */
function pathOf(uri: string): string {
  const raw = uri.replace(/^file:\/\//, '').replace(/^\/(?=[A-Za-z]:[\\/])/, '');
  if (!uri.startsWith('file://') || !raw.includes('%')) return raw;
  try {
    return fileURLToPath(uri);
  } catch {
    return raw;
  }
}

function severityOf(word: string | undefined): ToldDiagnostic['severity'] {
  switch (word?.toLowerCase()) {
    case 'error':
      return 'error';
    case 'warning':
      return 'warning';
    case 'hint':
      return 'hint';
    default:
      return 'info';
  }
}

function fromOne({ line, character }: { line: number; character: number }) {
  return { line: line + 1, character: character + 1 };
}
