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
  const refused = (tab: typeof page) =>
    tab.getByRole('alert').filter({ hasText: 'A ruling was already made' });
  await expect
    .poll(async () => (await Promise.all(tabs.map((tab) => refused(tab).count()))).join())
    .toMatch(/0,1|1,0/);
  const loser = (await refused(page).count()) === 1 ? page : other;
  await expect(loser.getByText('Your draft is saved')).toBeVisible();
  await expect(loser.getByText('Ruling of tab 2').first()).toBeVisible();

  await loser.reload();
  await expect(loser.getByText('Your draft is saved')).toBeVisible();
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
    await tab.goto(`${server.url}/d/${agents.debateId}`);
    await expect(tab.locator('[data-connection=live]')).toBeVisible();
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
