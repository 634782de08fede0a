import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const review = join(here, '../../../packages/ui/src/review');
const CHROMIUM = '/usr/bin/chromium';

export interface Harness {
  readonly browser: Browser;
  page(options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

/** Bundles the review view as the product does, and serves it under the policy that the product has. */
export async function startHarness(): Promise<Harness> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`${CHROMIUM} is missing. Install it with: apt-get install -y chromium`);
  }
  const { outputFiles } = await build({
    entryPoints: { page: join(here, 'review-page.mjs'), 'diff-worker': join(review, 'diff-worker.ts') },
    bundle: true,
    minify: true,
    format: 'iife',
    outdir: '/',
    write: false,
    logLevel: 'error',
  });
  const files = new Map(outputFiles.map((file) => [file.path, file.contents]));
  files.set('/review.css', readFileSync(join(review, 'review.css')));
  const server = createServer((request, response) => {
    const nonce = randomBytes(16).toString('base64');
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; worker-src 'self'; base-uri 'none'`,
    );
    if (path === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><html lang="en"><title>review</title><link rel="stylesheet" href="/review.css"><style nonce="${nonce}">html,body,main{height:100%;margin:0}</style><main></main><script nonce="${nonce}" src="/page.js"></script></html>`,
      );
      return;
    }
    const file = files.get(path);
    response.statusCode = file ? 200 : 404;
    response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/javascript; charset=utf-8');
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox'] });
  return {
    browser,
    async page(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    async stop() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
