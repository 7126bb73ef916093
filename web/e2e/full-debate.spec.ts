import { Agents } from './support/agents';
import { expect, picture, test } from './support/test';

test('a whole debate: appeal, ruling, intervention, ruling, resolution, closed', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Which store fits?', 'We take **SQLite** in WAL mode.');
  await page.goto(server.url);
  await page.getByRole('link', { name: /Which store fits/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Which store fits?' })).toBeVisible();
  await expect(page.locator('[data-connection=live]')).toBeVisible();
  await expect(page.locator('[data-seq="1"] strong')).toHaveText('SQLite');

  // New arguments and the presence of both sides appear live.
  const proposerWaits = agents.wait('proposer');
  await expect(page.getByText(/^Proposer waits for/)).toBeAttached();
  await agents.claim('opponent', 'One writer at a time is too slow.');
  await proposerWaits;
  await expect(page.locator('[data-seq="2"]')).toContainText('One writer at a time');
  await expect(page.getByText(/^Proposer has had its turn for/)).toBeAttached();

  // The arbitrator rules on an appeal by choosing an option.
  await agents.appeal('Batches or another store?', [
    'Batches: one transaction for many writes',
    'PostgreSQL: another store',
  ]);
  await expect(page).toHaveTitle(/^\(1\) /);
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  // The debate that is read is not taken away.
  await expect(page.locator('[data-seq="3"]')).toContainText('Batches or another store?');
  await page.getByRole('link', { name: 'Decide' }).click();
  await expect(page.getByRole('radio')).toHaveCount(3);
  await page.getByRole('radio', { name: /PostgreSQL/ }).check();
  await page.getByRole('radio', { name: /Batches/ }).check();
  await expect(box).toHaveValue('');
  await picture(page, 'appeal');
  const ruled = agents.wait('proposer');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  expect(await ruled).toMatchObject({
    action: 'align_to_ruling',
    argument: { type: 'RULING', chosen_option: 0 },
  });
  await expect(page.locator('[data-seq="4"]')).toContainText('Chose: Batches');
  await expect(page).not.toHaveTitle(/^\(/);

  // The record says the option once, and not again as the ruling's own words.
  const record = await fetch(`${server.url}/debates/${agents.debateId}/record?format=markdown`);
  expect(await record.text()).toContain('\nRuled in argument 4: **Batches**\n');

  // The arbitrator intervenes by holding the button.
  const stopped = agents.wait('opponent');
  await page.getByRole('button', { name: /^Hold to step in/ }).click({ delay: 1150 });
  await stopped;
  await expect(page.getByText('The debate was stopped.')).toBeVisible();
  await box.fill('Come to an end.');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('[data-seq="6"]')).toContainText('Come to an end.');
  await agents.wait('proposer');

  // The arbitrator closes the debate.
  await agents.requestCompletion('Agreed: SQLite with batches.');
  await expect(page.locator('[data-seq="7"]')).toBeVisible();
  await page.getByRole('link', { name: 'Decide' }).click();
  await box.fill('Well argued.');
  const closed = agents.wait('opponent');
  await page.getByRole('button', { name: 'Agreed, close' }).click();
  expect(await closed).toMatchObject({ action: 'debate_closed' });
  await expect(page.getByText('This debate is closed')).toBeVisible();
  // The end stays in view when the action bar changes its height.
  await expect(page.locator('[data-seq="8"]')).toBeInViewport({ ratio: 1 });
  await picture(page, 'closed');

  const types = (await agents.arguments()).map(({ type }) => type);
  expect(types).toEqual([
    'MOTION',
    'CLAIM',
    'APPEAL',
    'RULING',
    'INTERVENTION',
    'RULING',
    'RESOLUTION',
    'RULING',
  ]);
});

test('an appeal that arrives after the intervention can be ruled on', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Late', 'Motion');
  await agents.claim('opponent', 'No.');
  const target = agents.last;
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await page.getByRole('button', { name: /^Hold to step in/ }).click({ delay: 1150 });
  await expect(page.getByRole('region', { name: 'What you decide' })).toContainText('Stopped');
  agents.last = target;
  await agents.appeal('I was writing this.', ['Left: one way', 'Right: the other']);
  await expect(page.getByRole('radio')).toHaveCount(3);
  await page.getByRole('radio', { name: 'Something else' }).check();
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('Neither.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="5"]')).toContainText('Neither.');
  expect((await agents.arguments()).at(-1)).toMatchObject({ chosen_option: 2, close: false });
});
