import { IssueDebate } from './support/issueDebate';
import { expect, test } from './support/test';

test('a debate is asked for once, before the code that shows it has arrived', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Search');
  await debate.claim('opponent', 'No index is needed.');
  const html = await (await page.request.get(debate.url)).text();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // What the page itself names arrives, the code that it asks for later does not yet.
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await released;
    await route.continue();
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/debates/${debate.id}`) asked.push(search);
  });
  await page.goto(debate.url, { waitUntil: 'commit' });
  await expect.poll(() => asked).toEqual(['?limit=30']);
  await expect(page.getByText('No index is needed.')).toHaveCount(0);
  release();
  await expect(page.getByText('No index is needed.')).toBeVisible();
  await expect(page.locator('[data-connection=live]')).toBeVisible();
  expect(asked).toEqual(['?limit=30']);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the list has its debates when it is opened, and no page waits for them before', async ({
    page,
    server,
  }) => {
    const debate = await IssueDebate.create(server.url, 'Search');
    await debate.claim('opponent', 'No index is needed.');
    await IssueDebate.create(server.url, 'Import');
    await page.goto(debate.url);
    await expect(page.getByText('No index is needed.')).toBeVisible();
    await expect(page.locator('[data-connection=live]')).toBeVisible();
    const rows = page.locator('[data-debate]');
    await expect(rows).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to the inbox' }).tap();
    await page.getByRole('link', { name: 'All debates' }).tap();
    await expect(rows).toHaveText([/Import/, /Search/]);
    await rows.first().tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Import' })).toBeVisible();
  });
});

test('the time of a debate in the list has its date as a tooltip', async ({ page, server }) => {
  await IssueDebate.create(server.url, 'Search');
  await page.goto(server.url);
  const time = page.locator('[data-debate] time');
  await time.hover();
  const year = new Date().getUTCFullYear();
  await expect(time).toHaveAttribute('title', new RegExp(`${year}.*\\d\\d:\\d\\d:\\d\\d`));
});
