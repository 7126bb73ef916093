import type { Page } from '@playwright/test';
import { disputedDebate, IssueDebate, raise } from './support/issueDebate';
import { expect, picture, test } from './support/test';

const row = (page: Page, id: string) => page.locator(`[data-decide="${id}"]`);
const box = (page: Page) => page.getByRole('textbox', { name: 'Your ruling' });

test('a ruling upholds, dismisses and raises issues, by mouse', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  // What the appeal refers to comes first.
  await expect(page.locator('[data-decide]').first()).toHaveAttribute('data-decide', 'I2');
  await box(page).fill('Bound the delay.');
  await row(page, 'I2').getByText('Uphold').click();
  await row(page, 'I2').getByRole('button', { name: 'Add a note on I2' }).click();
  const note = row(page, 'I2').getByRole('textbox', { name: 'Note (optional), I2' });
  await expect(note).toBeFocused();
  await note.fill('At most 30 s.');
  await page.getByRole('button', { name: 'Show 3 more issues' }).click();
  await row(page, 'I6').getByText('Dismiss').click();
  await row(page, 'I3').getByText('Dismiss').click();
  await row(page, 'I3').getByText('Leave').click();
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  const title = page.getByRole('textbox', { name: /^Title/ });
  await expect(title).toBeFocused();
  await expect(page.locator('[data-ruling-summary]')).not.toContainText('raised');
  // It is not sent without a title.
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(title).toBeFocused();
  await expect(page.getByText('It needs a title.')).toBeVisible();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await title.fill('No metric counts the attempts');
  await page.getByRole('combobox', { name: 'Severity' }).selectOption('high');
  await expect(page.locator('[data-ruling-summary]')).toContainText(
    'raised “No metric counts the attempts” (High)',
  );
  await page.getByRole('textbox', { name: 'Location (optional)' }).fill('plan 5');
  await picture(page, 'issue-decisions');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="8"]')).toContainText('Bound the delay.');
  await expect(page.locator('[data-seq="8"] [data-change] a')).toHaveText([
    'I2 upheld',
    'I6 dismissed',
    'I7 raised',
  ]);

  const [, second, third, , , sixth, seventh] = await debate.issues();
  expect(second).toMatchObject({ status: 'open', upheld: true, referred: false, note: 'At most 30 s.' });
  expect(third).toMatchObject({ status: 'fixed', changed_seq: 3 });
  expect(sixth).toMatchObject({ status: 'dismissed', note: null });
  expect(seventh).toMatchObject({
    severity: 'high',
    raised_by: 'arbitrator',
    location: 'plan 5',
    upheld: true,
  });
});

test('a ruling upholds, dismisses and raises issues, by keyboard alone', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  await expect(row(page, 'I2')).toBeVisible();
  await page.keyboard.press('r');
  await page.keyboard.type('Bound the delay.');
  // Back over what follows, with its links, the task and the buttons below the issues to the decision on I2.
  await expect(page.locator('[data-follows]')).toContainText('fixes or disputes I2');
  const isAtRaise = () =>
    page.evaluate(() => document.activeElement?.textContent?.includes('Raise an issue') === true);
  for (let stops = 0; stops < 8 && !(await isAtRaise()); stops += 1) await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Raise an issue' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(row(page, 'I3')).toBeVisible();
  await page.getByRole('button', { name: 'Raise an issue' }).focus();
  // Over what was said of it.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(row(page, 'I6').getByRole('radio', { name: 'Leave' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'I6').getByRole('radio', { name: 'Dismiss' })).toBeChecked();
  await row(page, 'I2').getByRole('radio', { name: 'Leave' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('At most 30 s.');
  await page.getByRole('button', { name: 'Raise an issue' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^Title/ })).toBeFocused();
  await page.keyboard.type('No metric');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('[data-seq="8"] [data-change] a')).toHaveText([
    'I2 upheld',
    'I6 dismissed',
    'I7 raised',
  ]);
  expect((await debate.issues())[1]).toMatchObject({ upheld: true, note: 'At most 30 s.' });
});

test('what may become of an issue is offered, and sent, once the server has told what it needs', async ({
  page,
  server,
}) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  await row(page, 'I2').getByText('Defer', { exact: true }).click();
  await expect(page.locator('[data-follows]')).toContainText('Say why at I2');
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.route('**/info', async (route) => {
    await told;
    await route.continue();
  });
  await page.reload();
  const rule = page.getByRole('button', { name: 'Rule and continue' });
  await expect(rule).toBeDisabled();
  // Their order depends on that.
  await expect(row(page, 'I2').getByText('Defer', { exact: true })).toBeHidden();
  tell();
  await expect(rule).toBeEnabled();
  await expect(row(page, 'I2').getByRole('radio', { name: 'Defer' })).toBeChecked();
  await rule.click();
  await expect(row(page, 'I2').getByRole('textbox', { name: /^Why \(needed\)/ })).toBeFocused();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
});

test('the draft keeps the decisions over a reload, and until a ruling is needed again', async ({
  page,
  server,
}) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  await row(page, 'I2').getByText('Dismiss').click();
  await row(page, 'I2').getByRole('button', { name: 'Add a note' }).click();
  await row(page, 'I2').getByRole('textbox').fill('It is bounded.');
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  await page.getByRole('textbox', { name: /^Title/ }).fill('Kept');
  await page.reload();
  await expect(row(page, 'I2').getByRole('radio', { name: 'Dismiss' })).toBeChecked();
  await expect(row(page, 'I2').getByRole('textbox')).toHaveValue('It is bounded.');
  await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue('Kept');
  // A new issue that was in the draft does not take the focus.
  await expect(page.getByRole('textbox', { name: /^Title/ })).not.toBeFocused();

  await page.getByRole('button', { name: 'Remove the new issue' }).click();
  await expect(page.getByRole('button', { name: 'Raise an issue' })).toBeFocused();
  await box(page).fill('Go on.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="8"] [data-change] a')).toHaveText(['I2 dismissed']);
  await page.reload();
  await expect(page.locator('[data-seq="8"]')).toBeVisible();
  await expect(page.getByText('Your draft is saved')).toBeHidden();
});

test('what the server refuses is said at the issue, and nothing is lost', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  await row(page, 'I2').getByText('Uphold').click();
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  const title = page.getByRole('textbox', { name: /^Title/ });
  // A control character, which the field accepts.
  await title.fill('No\u007fmetric');
  await box(page).fill('Go on.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The new issue was not accepted' })).toBeVisible();
  await expect(page.locator('[data-new-issue]').getByRole('alert')).toContainText('U+007F');
  await picture(page, 'issue-refused');
  await title.fill('No metric');
  await expect(page.getByText('was not accepted')).toBeHidden();
  await expect(page.locator('[data-new-issue]').getByRole('alert')).toBeHidden();
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="8"] [data-change] a')).toHaveText(['I2 upheld', 'I7 raised']);
});

test('the button that closes says how many issues are not settled, and closes all the same', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'Two.', [raise('critical', 'Loses data'), raise('low', 'A name')]);
  await debate.appeal('Close it?', []);
  await page.goto(debate.url);
  await expect(page.getByRole('button', { name: 'Close the debate, 2 issues not settled' })).toBeVisible();
  await row(page, 'I2').getByText('Dismiss').click();
  await box(page).fill('It is over.');
  await page.getByRole('button', { name: 'Close the debate, 1 issue not settled' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('1 issue not settled:I1 Critical Loses data');
  await dialog.getByRole('button', { name: 'Close for good' }).click();
  await expect(page.getByText('This debate is closed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Issues, 1 issue not settled', exact: true })).toBeVisible();
});

test('before it closes, new issues have their titles, and what the server has not told is not claimed', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'One.', [raise('high', 'Loses data')]);
  await debate.appeal('Close it?', []);
  await page.goto(debate.url);
  const closes = (unsettled: string) =>
    page.getByRole('button', { name: `Close the debate${unsettled}`, exact: true });
  const dialog = page.getByRole('alertdialog');
  await expect(closes(', 1 issue not settled')).toBeVisible();
  await row(page, 'I1').getByText('Dismiss').click();
  await expect(page.locator('[data-follows] p')).toBeVisible();
  await expect(closes('')).toBeVisible();
  // What was told of a decision that was taken back counts no more.
  await row(page, 'I1').getByText('Leave').click();
  await expect(closes(', 1 issue not settled')).toBeVisible();

  await row(page, 'I1').getByText('Dismiss').click();
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  await page.getByRole('textbox', { name: /^Title/ }).fill('Backups are never tested');
  await box(page).fill('It is over.');
  await closes(', 1 issue not settled').click();
  await expect(dialog).toContainText('1 issue not settled:I2 Medium Backups are never tested (Open)');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // From here on the server does not answer.
  await page.route('**/ruling', () => {});
  await row(page, 'I1').getByText('Uphold').click();
  await closes('').click();
  await expect(dialog).toContainText('The server has not told yet which issues would not be settled.');
  await expect(dialog).not.toContainText('1 issue not settled');
});
