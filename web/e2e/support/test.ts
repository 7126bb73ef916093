import { test as base, expect, type Page, type Request } from '@playwright/test';
import { Server } from './server';

interface Options {
  /** Console errors that a test causes on purpose, such as those about a stopped server. */
  allowedErrors: RegExp | null;
  /** Whether rulings are sent at once, rather than when nobody undid them for ten seconds. */
  sendsAtOnce: boolean;
  /** The environment variables of the server, such as its tokens, and whether it runs on a terminal. */
  serverEnv: Record<string, string>;
  onATerminal: boolean;
}

interface Fixtures {
  server: Server;
  /** The console errors and warnings of all pages: any of them fails the test. */
  consoleErrors: string[];
}

/** Each test has its own server. It fails if a page logs an error or violates the content security policy. */
export const test = base.extend<Options & Fixtures>({
  allowedErrors: [null, { option: true }],
  sendsAtOnce: [true, { option: true }],
  serverEnv: [{}, { option: true }],
  onATerminal: [false, { option: true }],
  server: async ({ serverEnv, onATerminal }, use) => {
    const server = await Server.start(serverEnv, onATerminal);
    await use(server);
    await server.remove();
  },
  consoleErrors: [
    // Depends on `server`, so that the server is stopped after the check: browsers log an error when it stops.
    async ({ context, allowedErrors, sendsAtOnce, server: _ }, use) => {
      const consoleErrors: string[] = [];
      if (sendsAtOnce) await context.addInitScript(pressSendNow);
      context.on('page', (page) => watch(page, consoleErrors, allowedErrors));
      await use(consoleErrors);
      expect(consoleErrors).toEqual([]);
    },
    { auto: true },
  ],
});

/** In the page: presses the button of each unsent ruling. */
function pressSendNow(): void {
  new MutationObserver(() => document.querySelector<HTMLElement>('[data-send-now]')?.click()).observe(
    document,
    {
      childList: true,
      subtree: true,
    },
  );
}

function watch(page: Page, consoleErrors: string[], allowedErrors: RegExp | null): void {
  page.on('pageerror', (error) => consoleErrors.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    const bad = message.type() === 'error' || message.type() === 'warning';
    // The console does not tell which request it was: `response` does.
    const refused = message.location().url.endsWith('/ruling') && message.text().includes('status of 403');
    if (bad && !refused && !allowedErrors?.test(message.text())) consoleErrors.push(message.text());
  });
  page.on('response', (response) => {
    const refused = response.url().endsWith('/ruling') && response.status() === 403;
    if (refused && !isDryRun(response.request())) consoleErrors.push(`refused: ${response.url()}`);
  });
}

/** Whether it was only asked what would follow a ruling: that ruling may be stored meanwhile. */
function isDryRun(request: Request): boolean {
  return request.postDataJSON()?.dry_run === true;
}

/** Opens an address and waits until the server tells the page what happens. */
export async function openLive(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator('[data-connection=live]')).toBeVisible();
}

/** Waits until the page has loaded all parts in advance, which it begins some seconds after it was opened. */
export async function partsLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('parts loaded').length > 0);
}

/** Saves a screenshot for people to look at, where `E2E_PICTURES` is set. Tests do not compare it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.E2E_PICTURES) return;
  await page.screenshot({ path: `e2e-artifacts/${name}.png`, animations: 'disabled' });
}

/** Console errors of the browser while the server cannot be reached. */
export const SERVER_UNREACHABLE = /WebSocket connection to|Failed to load resource/;

export { expect };
