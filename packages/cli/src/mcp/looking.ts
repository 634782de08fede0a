import { resolve } from 'node:path';
import * as z from 'zod';
import { type Answer, defineTool } from './tool.ts';

interface Place {
  readonly line: number;
  readonly character: number;
}
interface Active {
  readonly path: string;
  readonly language: string;
  readonly dirty: boolean;
  readonly caret?: Place;
  readonly selections: readonly { readonly start: Place; readonly end: Place; readonly text: string }[];
}
interface Found {
  readonly path: string;
  readonly range: { readonly start: Place; readonly end: Place };
  readonly severity: string;
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
}

interface Diagnosed {
  path: string;
  start: { line: number; column: number };
  end: { line: number; column: number };
  severity: string;
  message: string;
  source?: string;
  code?: string;
}

const place = z.object({ line: z.int(), column: z.int() });
const path = z.string().describe('Absolute, or relative to the working directory');

export const getSelection = defineTool({
  name: 'get_selection',
  title: 'Current selection',
  description: 'The file the user looks at in the editor, where the caret is, and what is selected.',
  input: z.object({}),
  output: z.object({
    path: z.string().optional(),
    language: z.string().optional(),
    unsaved: z.boolean().optional(),
    caret: place.optional(),
    selections: z.array(z.object({ start: place, end: place, text: z.string() })),
  }),
  reads: true,
  run: async (_input, { editor }) => {
    const { active } = await editor.ask<{ active: Active | null }>('selection');
    if (!active) return { text: 'No file is active in the editor.', value: { selections: [] } };
    const selections = active.selections.map((each) => ({
      start: fromOne(each.start),
      end: fromOne(each.end),
      text: each.text,
    }));
    const where = active.caret ? `:${active.caret.line + 1}:${active.caret.character + 1}` : '';
    const unsaved = active.dirty ? ' (with unsaved changes)' : '';
    const texts = selections.map((each) => `Selected, lines ${each.start.line} to ${each.end.line}:\n${each.text}`);
    return {
      text: [`${active.path}${where}${unsaved}`, ...(texts.length > 0 ? texts : ['Nothing is selected.'])].join('\n'),
      value: {
        path: active.path,
        language: active.language,
        unsaved: active.dirty,
        ...(active.caret ? { caret: fromOne(active.caret) } : {}),
        selections,
      },
    };
  },
});

export const getOpenEditors = defineTool({
  name: 'get_open_editors',
  title: 'Open editors',
  description: 'The files that are open in the editor, the one that had the focus last first.',
  input: z.object({}),
  output: z.object({
    editors: z.array(z.object({ path: z.string(), active: z.boolean(), unsaved: z.boolean(), language: z.string() })),
  }),
  reads: true,
  run: async (_input, { editor }) => {
    type Open = { path: string; active: boolean; dirty: boolean; language: string };
    const { editors } = await editor.ask<{ editors: readonly Open[] }>('editors');
    const lines = editors.map(
      (each) => `${each.path}${each.active ? ' (active)' : ''}${each.dirty ? ' (unsaved)' : ''}`,
    );
    return {
      text: lines.join('\n') || 'No file is open.',
      value: { editors: editors.map(({ dirty, ...rest }) => ({ ...rest, unsaved: dirty })) },
    };
  },
});

export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Diagnostics',
  description: "Errors, warnings and hints that the editor's language servers report, of one file or of all.",
  input: z.object({ path: path.optional() }),
  output: z.object({
    diagnostics: z.array(
      z.object({
        path: z.string(),
        start: place,
        end: place,
        severity: z.string(),
        message: z.string(),
        source: z.string().optional(),
        code: z.string().optional(),
      }),
    ),
    total: z.int(),
  }),
  reads: true,
  run: async (input, { editor }): Promise<Answer<{ diagnostics: Diagnosed[]; total: number }>> => {
    const file = input.path === undefined ? {} : { path: resolve(input.path) };
    const found = await editor.ask<{ diagnostics: readonly Found[]; total: number }>('diagnostics', file);
    const diagnostics = found.diagnostics.map(({ path: each, range, severity, message, source, code }) => ({
      path: each,
      start: fromOne(range.start),
      end: fromOne(range.end),
      severity,
      message,
      ...(source === undefined ? {} : { source }),
      ...(code === undefined ? {} : { code }),
    }));
    const more = found.total - diagnostics.length;
    const lines = diagnostics.map(describe);
    return {
      text: [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n') || 'No problems are reported.',
      value: { diagnostics, total: found.total },
    };
  },
});

export const getWorkspaceFolders = defineTool({
  name: 'get_workspace_folders',
  title: 'Workspace folders',
  description: 'The folders that are open in the editor, and which editor it is.',
  input: z.object({}),
  output: z.object({ editor: z.string(), folders: z.array(z.string()) }),
  reads: true,
  run: async (_input, { editor }) => {
    const value = await editor.ask<{ editor: string; folders: string[] }>('folders');
    return { text: value.folders.join('\n') || 'No folder is open.', value };
  },
});

export const getLedger = defineTool({
  name: 'get_ledger',
  title: 'Ledger',
  description: 'What left the editor: when, to which agent, which files and how many characters.',
  input: z.object({}),
  output: z.object({
    entries: z.array(
      z.object({
        at: z.string(),
        agent: z.string(),
        what: z.string(),
        paths: z.array(z.string()),
        characters: z.int(),
      }),
    ),
  }),
  reads: true,
  run: async (_input, { editor }) => {
    type Entry = { at: string; agent: string; what: string; paths: string[]; characters: number };
    const { entries } = await editor.ask<{ entries: Entry[] }>('ledger');
    const lines = entries.map(
      ({ at, agent, what, paths, characters }) =>
        `${at} ${agent} ${what} (${characters} characters): ${paths.join(', ')}`,
    );
    return { text: lines.join('\n') || 'Nothing was sent to any agent.', value: { entries } };
  },
});

/** `src/a.ts:3:7: error: Cannot find name 'x'. [2304] (typescript)` */
function describe({ path: file, start, severity, message, code, source }: Diagnosed): string {
  const tail = `${code === undefined ? '' : ` [${code}]`}${source === undefined ? '' : ` (${source})`}`;
  return `${file}:${start.line}:${start.column}: ${severity}: ${message}${tail}`;
}

function fromOne({ line, character }: Place) {
  return { line: line + 1, column: character + 1 };
}
