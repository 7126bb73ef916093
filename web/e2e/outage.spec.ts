import { expectNoViolations } from './support/accessibility';
import { planDebate } from './support/planDebate';
import { expect, openLive, partsLoaded, SERVER_UNREACHABLE, test } from './support/test';

test.use({ allowedErrors: SERVER_UNREACHABLE });

test('without the server every view says so and since when, and each can be left', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000);
  const { debate } = await planDebate(server.url);
  await debate.appeal('Is the plan good enough?');
  await page.goto(server.url);
  await expect(page.locator('[data-card] .prose').first()).toBeVisible();
  await partsLoaded(page);
  await server.stop();
  const outage = page.locator('[data-outage]');
  await expect(outage).toContainText(/No connection to the server for \d+ sec/, { timeout: 20_000 });
  await expect(page.locator('[data-card]')).toBeVisible();
  await expectNoViolations(page, 'outage-inbox');

  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { name: 'Start a debate' })).toBeVisible();
  await expect(outage).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();

  await page.keyboard.press('d');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('The server cannot be reached.')).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toBeHidden();

  await page.keyboard.press('o');
  await expect(page.getByText('The server cannot be reached.').first()).toBeVisible();
  await expect(outage).toBeVisible();
  await expectNoViolations(page, 'outage-debate');
  await server.startAgain();
  await expect(outage).toBeHidden({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'What you decide' })).toBeVisible({ timeout: 30_000 });
});

test('a debate that is open stays, and its panels can be opened and closed', async ({ page, server }) => {
  const { debate } = await planDebate(server.url);
  await debate.appeal('Is the plan good enough?');
  await openLive(page, debate.url);
  // The code of the panels has not been asked for yet.
  await page.route('**/_next/**', (route) => route.abort());
  await server.stop();
  await expect(page.locator('[data-outage]')).toBeVisible({ timeout: 20_000 });
  for (const [key, name, close] of [
    ['p', 'Plan', 'Close the plan'],
    ['i', 'Issues', 'Close the issues'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('complementary', { name })).toBeVisible();
    await page.getByRole('button', { name: close }).click();
    await expect(page.getByRole('complementary', { name })).toBeHidden();
  }
});

test('a page that is opened without the server shows no blank part', async ({ page, server }) => {
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'Start a first debate' })).toBeVisible();
  await page.route('**/_next/static/chunks/**', (route) => route.abort());
  await server.stop();
  await expect(page.locator('[data-outage]')).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('d');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeVisible();
});
