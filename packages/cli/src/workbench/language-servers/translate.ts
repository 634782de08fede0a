import { fileURLToPath } from 'node:url';
import type { Diagnostic, Severity } from '@tandem/core';
import * as z from 'zod';

const MAX_DIAGNOSTICS = 1000;
const MAX_MESSAGE = 10_000;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

const place = z.object({ line: z.int().min(0), character: z.int().min(0) });
const diagnostic = z.object({
  range: z.object({ start: place, end: place }),
  severity: z.int().optional(),
  message: z.union([z.string(), z.object({ value: z.string() }).transform((markup) => markup.value)]),
  source: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
});
const published = z.object({
  uri: z.string(),
  version: z.int().nullish(),
  diagnostics: z.array(z.unknown()),
});

export interface Published {
  readonly path: string;
  readonly version: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** `undefined` for what is not of a file. A diagnostic that makes no sense is left out, the others stay. */
export function fromPublished(params: unknown): Published | undefined {
  const parsed = published.safeParse(params);
  const path = parsed.success ? toPath(parsed.data.uri) : undefined;
  if (!parsed.success || path === undefined) return undefined;
  const diagnostics = parsed.data.diagnostics.slice(0, MAX_DIAGNOSTICS).flatMap(toDiagnostic);
  return { path, version: parsed.data.version ?? undefined, diagnostics };
}

function toDiagnostic(value: unknown): readonly Diagnostic[] {
  const parsed = diagnostic.safeParse(value);
  if (!parsed.success) return [];
  const { range, severity = 1, message, source, code } = parsed.data;
  return [
    {
      range,
      severity: SEVERITIES[severity - 1] ?? 'error',
      message: message.slice(0, MAX_MESSAGE),
      ...(source === undefined ? {} : { source }),
      ...(code === undefined ? {} : { code: String(code) }),
    },
  ];
}

function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
