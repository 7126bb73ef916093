import { Agents } from './support/agents';
import { expect, openLive, SERVER_UNREACHABLE, test } from './support/test';

test.use({ allowedErrors: SERVER_UNREACHABLE });

test('a restart of the server loses no draft and stores a ruling once', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Restart', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Who is right?');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await expect(page.locator('[data-connection=live]')).toBeVisible();
  await box.fill('Half a rul');

  await server.stop();
  await expect(page.locator('[data-connection=reconnecting]')).toBeVisible();
  await expect(box).toHaveValue('Half a rul');
  await box.fill('Half a ruling, now whole.');
  // Submitted while the server is stopped: it is sent once, when the server is back.
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.getByText('Waiting for the connection')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel sending' }).click();
  await expect(box).toHaveValue('Half a ruling, now whole.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await server.startAgain();

  await expect(page.locator('[data-seq="4"]')).toContainText('now whole', { timeout: 20_000 });
  await expect(page.locator('[data-connection=live]')).toBeVisible();
  expect((await agents.arguments()).filter(({ type }) => type === 'RULING')).toHaveLength(1);
});

test('arguments from while the connection was lost are fetched', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Gap', 'Motion');
  await openLive(page, `${server.url}/d/${agents.debateId}`);
  await server.stop();
  await expect(page.locator('[data-connection=reconnecting]')).toBeVisible();
  await page.context().setOffline(true);
  await server.startAgain();
  await agents.claim('opponent', 'Said in the dark, one');
  await agents.claim('proposer', 'Said in the dark, two');
  await page.context().setOffline(false);
  await expect(page.locator('[data-seq="2"]')).toContainText('one', { timeout: 20_000 });
  await expect(page.locator('[data-seq="3"]')).toContainText('two');
});

test('a draft survives a reload', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Draft', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Who?', ['One: first', 'Two: second']);
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await page.getByRole('radio', { name: /Two/ }).check();
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await box.press('End');
  await box.pressSequentially(' and more');
  const text = await box.inputValue();
  await page.reload();
  await expect(box).toHaveValue(text);
  await expect(page.getByRole('radio', { name: /Two/ })).toBeChecked();
});
