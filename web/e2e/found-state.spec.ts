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
