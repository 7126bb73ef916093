import type { Locator, Page } from '@playwright/test';
import { IssueDebate, raise } from './support/issueDebate';
import { expect, test } from './support/test';

const card = (page: Page, id: string) => page.locator(`[data-decide="${id}"]`);
const summary = (page: Page) => page.locator('[data-ruling-summary]');
const box = (page: Page) => page.getByRole('textbox', { name: 'Your ruling' });

/** An appeal that refers two issues, with options of which none decides one. */
async function undecided(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Rate limits');
  await debate.claim('opponent', 'Two.', [raise('high', 'A quarter of the limit'), raise('high', 'Exports')]);
  await debate.appealWith(
    'How exact are limits on the first day?',
    ['Coarse', 'Exact', 'Exact, exports count more'].map((label) => ({ label, detail: 'It costs a day.' })),
    ['I1', 'I2'].map((issue) => ({ change: 'refer', issue })),
  );
  return debate;
}

/** How far it ends above the bar. */
async function roomAboveBar(shown: Locator): Promise<number> {
  const bar = shown.page().locator('[data-ruling-buttons]');
  const [box, below] = await Promise.all([shown.boundingBox(), bar.boundingBox()]);
  return (below?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0);
}

test('what is written in the box is the reason of what is deferred without one of its own', async ({
  page,
  server,
}) => {
  const debate = await undecided(server.url);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: /^Exact(?!,)/ }).check();
  await card(page, 'I1').getByText('Uphold').click();
  await card(page, 'I2').getByText('Defer').click();
  await expect(page.getByText('Say why at I2: that is needed.')).toBeVisible();
  await box(page).fill('Exports: again after two weeks.');
  await expect(page.getByText('Say why at I2')).toBeHidden();
  await expect(
    card(page, 'I2').getByRole('textbox', { name: 'Why, if not as in your ruling, I2' }),
  ).toHaveValue('');
  await expect(summary(page)).toHaveText('Your decision: Exact · I1 upheld · I2 deferred');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="4"] [data-change]').last()).toContainText(
    'Exports: again after two weeks.',
  );
  // The appeal has its option marked.
  const chosen = page.locator('[data-seq="3"] li').filter({ has: page.getByLabel('chosen') });
  await expect(chosen).toHaveText(/^Exact\s*It costs/);
  expect((await debate.issues())[1]).toMatchObject({
    status: 'deferred',
    note: 'Exports: again after two weeks.',
  });
});

test('a choice is taken back with what was decided, but not what was written', async ({ page, server }) => {
  const debate = await undecided(server.url);
  await page.goto(debate.url);
  const option = page.getByRole('radio', { name: /^Exact(?!,)/ });
  await option.check();
  await card(page, 'I1').getByText('Uphold').click();
  await box(page).fill('In May.');
  await page.getByRole('button', { name: 'Take the choice back' }).press('Enter');
  await expect(option).not.toBeChecked();
  await expect(card(page, 'I1').getByRole('radio', { name: 'Leave' })).toBeChecked();
  await expect(summary(page)).toBeHidden();
  await expect(box(page)).toHaveValue('In May.');
  // The button is gone; where it may have been pressed by accident, the one with the focus brings all of it back.
  const again = page.getByRole('button', { name: 'Choose them again' });
  await expect(again).toBeFocused();
  await again.press('Enter');
  await expect(option).toBeChecked();
  await expect(card(page, 'I1').getByRole('radio', { name: 'Uphold' })).toBeChecked();
  await expect(again).toBeHidden();
  await expect(page.locator('form :focus')).toHaveCount(1);
  // What is chosen anew takes its place.
  await page.getByRole('button', { name: 'Take the choice back' }).press('Enter');
  await page.getByRole('radio', { name: /^Coarse/ }).check();
  await expect(again).toBeHidden();
});

test('what closes stands left of what goes on, whichever is the main one', async ({ page, server }) => {
  const left = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.x ?? 0;
  const debate = await undecided(server.url);
  await page.goto(debate.url);
  const rule = page.getByRole('button', { name: 'Rule and continue' });
  expect(await left('Close the debate')).toBeLessThan(await left('Rule and continue'));
  // It stands out once there is something to send.
  await expect(rule).not.toHaveClass(/bg-primary/);
  await box(page).fill('Exact.');
  await expect(rule).toHaveClass(/bg-primary/);

  const agreed = await IssueDebate.create(server.url, 'Retries');
  await agreed.claim('opponent', 'Fine.');
  await agreed.resolution('We agree.');
  await page.goto(agreed.url);
  await expect(page.getByRole('button', { name: 'Agreed, close' })).toHaveClass(/bg-primary/);
  expect(await left('Agreed, close')).toBeLessThan(await left('Send back'));
});

test('on a phone the chosen option stays above the bar when that tells what it leads to', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const debate = await undecided(server.url);
  await page.goto(debate.url);
  const option = page.locator('label').filter({ has: page.getByRole('radio', { name: /^Exact, exports/ }) });
  const above = () => roomAboveBar(option);
  // It stands close to the bar, which then grows.
  await expect(option).toBeVisible();
  await page.setViewportSize({ width: 390, height: Math.round(844 - (await above()) + 4) });
  await expect.poll(above).toBeCloseTo(4, -1);
  const { x = 0, y = 0 } = (await option.boundingBox()) ?? {};
  await page.mouse.click(x + 60, y + 10);
  await expect(page.locator('[data-follows]')).toContainText('Proposer');
  await expect.poll(above).toBeGreaterThanOrEqual(0);
});

test('on a phone, of many issues the chosen option says by their titles what becomes of them', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const debate = await IssueDebate.create(server.url, 'Uploads');
  const titles = ['Disk', 'Links', 'Size', 'Damage', 'Swaps', 'Limit', 'Key'];
  await debate.claim(
    'opponent',
    'Seven.',
    titles.map((title) => raise(title === 'Disk' ? 'high' : 'medium', title)),
  );
  const decides = (verbs: readonly string[]) =>
    verbs.map((change, index) => ({
      change,
      issue: `I${index + 1}`,
      ...(change === 'defer' && { note: 'Later.' }),
    }));
  await debate.appealWith(
    'Which first?',
    [
      { label: 'All', issue_changes: decides(titles.map(() => 'uphold')) },
      { label: 'Some', issue_changes: decides(['uphold', 'defer', 'defer', 'dismiss', 'uphold', 'dismiss']) },
    ],
    titles.map((_, index) => ({ change: 'refer', issue: `I${index + 1}` })),
  );
  await page.goto(debate.url);
  const some = page.locator('label').filter({ has: page.getByRole('radio', { name: /^Some(?!thing)/ }) });
  await expect(some).not.toContainText('Damage');
  await some.getByRole('radio').check();
  await expect(some.locator('[data-decides] > span')).toHaveText([
    'upheld: it must be fixed I1 High DiskI5 Medium Swaps',
    'deferred: right, but it can wait I2 Medium LinksI3 Medium Size',
    'dismissed: settled for good I4 Medium DamageI6 Medium Limit',
    'not decided I7 Medium Key',
  ]);
  await page.getByRole('button', { name: 'I4: Uphold (1)' }).click();
  await expect(some.getByText('Damage')).toHaveCSS('text-decoration-line', 'line-through');
  await expect(some.locator('[data-decides]')).toContainText('I4 Medium Damage upheld');
  // Elsewhere the table beside it has the titles, and the options keep their places.
  await page.setViewportSize({ width: 1360, height: 860 });
  await expect(some).not.toContainText('Damage');
});

test('a decision that departs from its option takes the note of another with a click', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url, 'Uploads');
  await debate.claim('opponent', 'One.', [raise('high', 'Damaged parts')]);
  const option = (label: string, change: string, note: string) => ({
    label,
    issue_changes: [{ change, issue: 'I1', note }],
  });
  await debate.appealWith(
    'Is it checked?',
    [
      option('As planned', 'dismiss', 'TLS is enough.'),
      option('All', 'uphold', 'SHA-256 for each part.'),
      option('Large ones', 'uphold', 'Above 100 MB only.'),
    ],
    [{ change: 'refer', issue: 'I1' }],
  );
  await page.goto(debate.url);
  await page.getByRole('radio', { name: /^As planned/ }).check();
  await card(page, 'I1').getByText('Uphold').click();
  const offered = card(page, 'I1').getByRole('list', { name: 'Options say' });
  await expect(offered.getByRole('button')).toHaveText(['“SHA-256 for each part.”', '“Above 100 MB only.”']);
  await offered.getByRole('button').first().press('Enter');
  const note = card(page, 'I1').getByRole('textbox');
  await expect(note).toBeFocused();
  await expect(note).toHaveValue('SHA-256 for each part.');
  await expect(offered).toBeHidden();
  await expect(summary(page)).toContainText('I1 upheld, not dismissed as offered: “SHA-256 for each part.”');
});

test('of a debate that runs it is said what is not settled, first what blocks', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Logs');
  await page.goto(debate.url);
  const line = page.locator('[data-unsettled]');
  await expect(page.getByRole('button', { name: 'Hold to step in' })).toBeVisible();
  await expect(line).toBeHidden();
  const titles = ['JSON', 'Library', 'Levels'].map((title) => raise('low', title));
  await debate.claim('opponent', 'Four.', [...titles, raise('high', 'Where logs are kept')]);
  await expect(line).toHaveText('Not settled: I4 Where logs are kept · I1 JSON · I2 Library · and 1 more');
  await line.getByRole('link', { name: 'I4' }).click();
  await expect(page.locator('[data-issue="I4"]')).toBeVisible();
});

test('a new issue stands above the bar, also once its title makes the bar higher', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 520, height: 768 });
  const debate = await undecided(server.url);
  await page.goto(debate.url);
  const raise = page.getByRole('button', { name: 'Raise an issue' });
  await raise.scrollIntoViewIfNeeded();
  await raise.click();
  const row = page.locator('[data-new-issue]');
  const bar = page.locator('[data-ruling-buttons]');
  const above = () => roomAboveBar(row);
  await expect.poll(above).toBeGreaterThanOrEqual(0);
  const before = (await bar.boundingBox())?.height ?? 0;
  await page.keyboard.type('Nobody checks it with a screen reader');
  await expect.poll(async () => (await bar.boundingBox())?.height).toBeGreaterThan(before);
  await expect.poll(above).toBeGreaterThanOrEqual(0);
});
