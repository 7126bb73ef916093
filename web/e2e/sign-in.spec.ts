import type { Page } from '@playwright/test';
import { Agents } from './support/agents';
import type { Server } from './support/server';
import { expect, picture, SERVER_UNREACHABLE, test } from './support/test';

const TOKENS = { DEBATE_AUTH_TOKEN: 'agents-token', DEBATE_ARBITRATOR_TOKEN: 'my-token' };

test.use({
  allowedErrors: /Failed to load resource.*(401|403)|WebSocket connection to/,
  serverEnv: TOKENS,
});

/** An appeal waits; returns the address of its debate. */
async function appealed(server: Server): Promise<string> {
  const agents = await new Agents(server.url, 'agents-token').create('Secret', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Who is right?');
  return `${server.url}/d/${agents.debateId}`;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('the token is kept for the tab, and the agents’ token cannot rule', async ({ page, server }) => {
  const url = await appealed(server);
  await page.goto(url);
  await picture(page, 'signed-out');
  await signIn(page, 'wrong');
  await expect(page.getByRole('alert').filter({ hasText: 'The server rejected' })).toBeVisible();
  await signIn(page, 'agents-token');
  await expect(page.locator('[data-connection=live]')).toBeVisible();

  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await box.fill('With the wrong hat on.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This token belongs to the agents' })).toBeVisible();
  await expect(box).toHaveValue('With the wrong hat on.');
  await page.getByRole('button', { name: 'Use another token' }).click();
  await signIn(page, 'my-token');
  await expect(box).toHaveValue('With the wrong hat on.');
  await page.reload();
  await expect(page.locator('[data-connection=live]')).toBeVisible();
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="4"]')).toContainText('With the wrong hat on.');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('my-token');
});

test.describe('on a terminal', () => {
  test.use({ onATerminal: true });

  test('the sign-in link works once, and its code and the token are not stored outside the tab', async ({
    page,
    context,
    server,
  }) => {
    const url = await appealed(server);
    await expect.poll(() => server.printed).toContain('#sign-in=');
    const link = /http:\S+#sign-in=(\S+)/.exec(server.printed);
    const [address, code] = [link?.[0] ?? '', link?.[1] ?? ''];
    await page.goto(address);
    await expect(page.getByRole('link', { name: 'Secret' }).first()).toBeVisible();
    expect(page.url()).toBe(`${server.url}/`);
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Your ruling' }).fill('By the link.');
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(page.locator('[data-seq="4"]')).toContainText('By the link.');

    const held = await page.evaluate(async () => ({
      tab: sessionStorage.getItem('aweave.token') ?? '',
      beyond: JSON.stringify([
        localStorage,
        document.cookie,
        await indexedDB.databases(),
        await caches.keys(),
        document.documentElement.outerHTML,
      ]),
    }));
    expect(held.tab).not.toBe('');
    for (const secret of [held.tab, code, 'my-token', 'agents-token']) {
      expect(held.beyond).not.toContain(secret);
    }

    const other = await context.newPage();
    await other.goto(address);
    await expect(other.getByRole('alert').filter({ hasText: 'This link was used before' })).toBeVisible();
    await picture(other, 'stale-link');
  });
});

test.describe('the token changes', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  test('a ruling that was on its way is sent once one has signed in again', async ({ page, server }) => {
    const url = await appealed(server);
    await page.goto(url);
    await signIn(page, 'my-token');
    await expect(page.locator('[data-connection=live]')).toBeVisible();
    await server.stop();
    await page.getByRole('textbox', { name: 'Your ruling' }).fill('The opponent.');
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(page.getByText('Waiting for the connection')).toBeVisible();
    await server.startAgain({ ...TOKENS, DEBATE_ARBITRATOR_TOKEN: 'new-token' });
    await signIn(page, 'new-token');
    await expect(page.locator('[data-type=RULING]')).toContainText('The opponent.', { timeout: 20_000 });
  });
});
