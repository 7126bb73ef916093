import { Agents } from './support/agents';
import { expect, openLive, test } from './support/test';

test('two browsers rule at once: one ruling is refused, and its draft is kept', async ({
  page,
  browser,
  server,
}) => {
  const agents = await new Agents(server.url).create('Two browsers', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Who is right?');
  const elsewhere = await browser.newContext({ locale: 'en-US' });
  const other = await elsewhere.newPage();
  const tabs = [page, other];
  for (const [index, tab] of tabs.entries()) {
    await openLive(tab, `${server.url}/d/${agents.debateId}`);
    await tab.getByRole('textbox', { name: 'Your ruling' }).fill(`Ruling of browser ${index + 1}`);
  }
  await other.getByRole('button', { name: 'Rule and continue' }).click();
  // Clicks inside the page, so that neither click waits for the other browser.
  const buttons = [
    page.getByRole('button', { name: 'Rule and continue' }),
    other.getByRole('button', { name: 'Send now' }),
  ];
  await Promise.all(buttons.map((button) => button.evaluate((element: HTMLElement) => element.click())));

  const rulings = async () => (await agents.arguments()).filter(({ type }) => type === 'RULING');
  await expect.poll(async () => (await rulings()).length).toBe(1);
  const winner = (await rulings())[0]?.content === 'Ruling of browser 1' ? page : other;
  const loser = winner === page ? other : page;
  await expect(loser.getByText('Your draft is saved')).toBeVisible();
  await expect(loser.getByText(`Ruling of browser ${loser === page ? 1 : 2}`).first()).toBeVisible();
  await expect(loser.getByRole('alert').filter({ hasText: 'A ruling was already made' })).toBeVisible();
  await expect(winner.getByText('Your draft is saved')).toBeHidden();

  await loser.reload();
  await expect(loser.getByText('Your draft is saved')).toBeVisible();
  await elsewhere.close();
});

test('what is written in one tab is in the other, and no ruling of somebody else once it is sent', async ({
  page,
  context,
  server,
}) => {
  const agents = await new Agents(server.url).create('Two tabs', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Who is right?');
  const other = await context.newPage();
  const box = (tab: typeof page) => tab.getByRole('textbox', { name: 'Your ruling' });
  for (const tab of [page, other]) {
    await openLive(tab, `${server.url}/d/${agents.debateId}`);
  }
  await box(page).fill('The proposer.');
  await expect(box(other)).toHaveValue('The proposer.');
  await box(other).fill('The opponent.');
  await expect(box(page)).toHaveValue('The opponent.');
  await other.keyboard.press('Control+Enter');
  for (const tab of [page, other]) {
    await expect(tab.locator('[data-type=RULING]')).toContainText('The opponent.');
    await expect(tab.getByText('Your draft is saved')).toBeHidden();
    await expect(tab.locator('[data-missed]')).toHaveCount(0);
  }
});
