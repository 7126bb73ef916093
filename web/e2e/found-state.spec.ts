import { agreedDebate, IssueDebate } from './support/issueDebate';
import { expect, test } from './support/test';

test('a text that is found says the state of its debate, as a row of the list does', async ({
  page,
  server,
}) => {
  const closed = await agreedDebate(server.url, 'Old');
  await closed.ruling('The jitter stays.', true);
  const open = await IssueDebate.create(server.url, 'New');
  await open.claim('opponent', 'The jitter is the same for all.');
  await page.goto(server.url);
  await page.getByRole('textbox', { name: 'Search titles and texts' }).fill('jitter');
  const state = (title: string) =>
    page.locator('[data-hit]').filter({ hasText: title }).locator('[data-hit-state]');
  await expect(state('Old')).toHaveText('Closed');
  await expect(state('New')).toHaveText('Proposer’s turn');
});

test('a text that is found in a longer debate is shown, and nothing is said of the debate before', async ({
  page,
  server,
}) => {
  const short = await IssueDebate.create(server.url, 'Short');
  const long = await IssueDebate.create(server.url, 'Long');
  for (const role of ['opponent', 'proposer', 'opponent'] as const) await long.claim(role, 'Not yet.');
  await long.claim('proposer', 'The jitter is bounded.');
  await page.goto(short.url);
  await page.getByRole('textbox', { name: 'Search titles and texts' }).fill('bounded');
  await page.locator('[data-hit]').first().click();
  await expect(page.locator('[data-seq="5"]')).toBeInViewport();
  await expect(page).toHaveURL(/#5$/);
  // It would go away by itself.
  expect(await page.getByText('There is no argument').count()).toBe(0);
});
