import { agreedDebate } from './support/issueDebate';
import { expect, test } from './support/test';

test('what a page shows first is asked for before its code has come, and once', async ({ page, server }) => {
  const debate = await agreedDebate(server.url);
  const list = `${server.url}/debates?limit=50&offset=0`;
  const first = `${server.url}/debates/${debate.id}?limit=30`;
  const rulings = `${server.url}/wait?role=arbitrator&timeout=0`;
  for (const [address, expected] of [
    [server.url, [list, rulings]],
    [debate.url, [list, rulings, first]],
  ] as const) {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(address);
    await expect(page.getByText('Everything is agreed.')).toBeVisible();
    await page.waitForLoadState('networkidle');
    const code = asked.findIndex((url) => url.includes('/_next/') && url.endsWith('.js'));
    expect(code).toBeGreaterThan(0);
    for (const url of expected) {
      const times = asked.filter((each) => each === url).length;
      // What waits for a ruling is asked for again once the page is connected.
      expect(times, url).toBe(url === rulings ? 2 : 1);
    }
    page.removeAllListeners('request');
  }
});

test('a paragraph of words can be read before the parser has come', async ({ page, server }) => {
  const debate = await agreedDebate(server.url);
  await page.route('**/turbopack-worker*', () => undefined);
  await page.goto(debate.url);
  const text = page.locator('form .prose').getByText('Everything is agreed.');
  await expect(text).toBeVisible({ timeout: 3_000 });
  await expect(text.locator('xpath=ancestor::*[@aria-busy="true"]')).toHaveCount(1);
});
