import { Agents } from './support/agents';
import { expect, test } from './support/test';

test('two tabs rule at once: one ruling is refused, and its draft is kept', async ({
  page,
  context,
  server,
}) => {
  const agents = await new Agents(server.url).create('Two tabs', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Who is right?');
  const other = await context.newPage();
  const tabs = [page, other];
  for (const [index, tab] of tabs.entries()) {
    await tab.goto(`${server.url}/d/${agents.debateId}`);
    await expect(tab.locator('[data-connection=live]')).toBeVisible();
    await tab.getByRole('textbox', { name: 'Your ruling' }).fill(`Ruling of tab ${index + 1}`);
  }
  // Clicks inside the page, so that neither click waits for the other tab.
  const button = (tab: typeof page) => tab.getByRole('button', { name: 'Rule and continue' });
  await Promise.all(tabs.map((tab) => button(tab).evaluate((element: HTMLElement) => element.click())));

  const rulings = async () => (await agents.arguments()).filter(({ type }) => type === 'RULING');
  await expect.poll(async () => (await rulings()).length).toBe(1);
  const winner = (await rulings())[0]?.content === 'Ruling of tab 1' ? page : other;
  const loser = winner === page ? other : page;
  await expect(loser.getByText('Your draft is saved')).toBeVisible();
  await expect(loser.getByText(`Ruling of tab ${loser === page ? 1 : 2}`).first()).toBeVisible();
  await expect(loser.getByRole('alert').filter({ hasText: 'A ruling was already made' })).toBeVisible();
  await expect(winner.getByText('Your draft is saved')).toBeHidden();

  await loser.reload();
  await expect(loser.getByText('Your draft is saved')).toBeVisible();
});
