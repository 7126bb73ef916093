import { IssueDebate, raise } from './support/issueDebate';
import { expect, test } from './support/test';

/** An appeal beside many issues, of which the worst come last. */
async function manyIssues(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server);
  const severities = [...Array<string>(10).fill('low'), 'high', 'critical'];
  await debate.claim(
    'opponent',
    'Twelve.',
    severities.map((severity, index) => raise(severity, `Fault ${index + 1}`)),
  );
  await debate.appeal('Close it?');
  return debate;
}

test('a question before sending names the worst issues first, and gives the focus back', async ({
  page,
  server,
}) => {
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('It is over.');
  const close = page.getByRole('button', { name: 'Close the debate, 12 issues not settled' });
  const dialog = page.getByRole('alertdialog');
  for (const leave of ['Cancel', 'Escape']) {
    await close.click();
    await expect(dialog).toContainText('12 issues not settled, 2 of them critical or high:');
    await expect(dialog.getByRole('listitem').first()).toHaveText(/^I12 Critical Fault 12/);
    await expect(dialog.getByRole('listitem').nth(1)).toHaveText(/^I11 High Fault 11/);
    await expect(dialog.getByRole('listitem').last()).toHaveText('and 4 more');
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: leave }).click();
    await expect(dialog).toBeHidden();
    await expect(close).toBeFocused();
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(close).toBeFocused();
});

test('what shows more issues leads to the first of them', async ({ page, server }) => {
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await expect(page.locator('[data-decide]').first()).toBeVisible();
  const shown = await page.locator('[data-decide]').count();
  await page.getByRole('button', { name: /^Show \d+ more issues$/ }).click();
  await expect(page.locator('[data-decide]').nth(shown).locator(':focus')).toHaveCount(1);
});

test('no field that gets the focus is left under the bar on a phone', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('button', { name: /^Show \d+ more issues$/ }).click();
  await page.locator('[data-decide]').first().locator('input').first().focus();
  let fields = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    await page.keyboard.press('Tab');
    const covered = await page.evaluate(() => {
      const bar = document.querySelector('[data-ruling-buttons]');
      const field =
        document.activeElement?.closest('label, button, a, textarea, select') ?? document.activeElement;
      if (!bar || !field || bar.contains(field) || !document.querySelector('form')?.contains(field))
        return null;
      return field.getBoundingClientRect().bottom - bar.getBoundingClientRect().top;
    });
    if (covered === null) continue;
    fields += 1;
    expect(covered).toBeLessThanOrEqual(1);
  }
  expect(fields).toBeGreaterThan(6);
});
