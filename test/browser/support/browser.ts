import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** What `npm run build` made; another folder for runs beside a build. */
export const DIST = process.env.TANDEM_DIST ?? join(import.meta.dirname, '../../../packages/cli/dist');
export const ASSETS = join(DIST, 'page');
const CHROMIUM = '/usr/bin/chromium';

export function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing. Install it with: apt-get install -y chromium`);
  const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update'];
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...quiet] });
}

/** The page has heard from the workbench. */
export async function connected(page: Page): Promise<void> {
  const state = page.getByRole('status', { name: /^(Connection|连接)$/ });
  await state.getByText(/^(connected|已连接)$/).waitFor();
}
