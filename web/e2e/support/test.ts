import { test as base, expect, type Page } from '@playwright/test';
import { Server } from './server';

interface Options {
  /** What this test makes the browser itself complain about, such as a server that is taken away. */
  expected: RegExp | null;
}

interface Fixtures {
  server: Server;
  /** Everything a page complained about: any of it fails the test. */
  complaints: string[];
}

/** Each test has a server of its own, and no page in it may log an error or break the content security policy. */
export const test = base.extend<Options & Fixtures>({
  expected: [null, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: async ({}, use) => {
    const server = await Server.start();
    await use(server);
    await server.remove();
  },
  complaints: [
    // The server is named so that it outlives the watching: a browser complains when it goes.
    async ({ context, expected, server: _ }, use) => {
      const complaints: string[] = [];
      context.on('page', (page) => watch(page, complaints, expected));
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

function watch(page: Page, complaints: string[], expected: RegExp | null): void {
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    const bad = message.type() === 'error' || message.type() === 'warning';
    if (bad && !expected?.test(message.text())) complaints.push(message.text());
  });
}

/** A picture for people to look at; nothing is compared with it. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `e2e-artifacts/${name}.png`, animations: 'disabled' });
}

/** The browser's own words about a server that is away. */
export const SERVER_AWAY = /WebSocket connection to|Failed to load resource/;

export { expect };
