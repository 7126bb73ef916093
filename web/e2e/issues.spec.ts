import type { Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { disputedDebate, IssueDebate, raise } from './support/issueDebate';
import { expect, openLive, partsLoaded, picture, test } from './support/test';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Issues' });
const button = (page: Page) => page.getByRole('button', { name: /^Issues, / });
const shown = (page: Page) =>
  page.locator('[data-issue]').evaluateAll((items) => items.map((item) => item.getAttribute('data-issue')));

async function open(page: Page, debate: IssueDebate): Promise<void> {
  await page.goto(debate.url);
  await expect(page.locator('[data-connection=live]')).toBeAttached();
  // Where a ruling is due, the debate is one click away.
  const read = page.locator(`form a[href^="/d/${debate.id}#"]`).first();
  await expect(read.or(page.locator('article').first())).toBeVisible();
  if (await read.isVisible()) await read.click();
  await expect(page.locator('article').first()).toBeVisible();
}

test('the issues appear and change live', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  await open(page, debate);
  await expect(button(page)).toHaveAccessibleName('Issues, 0 issues not settled');
  await button(page).click();
  await expect(panel(page)).toContainText('No issues yet');

  await debate.claim('opponent', 'Two faults.', [
    raise('high', 'No bound', 'plan 2'),
    raise('low', 'A name'),
  ]);
  await expect(panel(page).locator('[data-issue="I1"]')).toContainText('No bound');
  await expect(panel(page).locator('[data-issue="I1"]')).toContainText('plan 2');
  await expect(panel(page).locator('[data-issue="I1"]')).toContainText('Opponent, #2');
  await expect(button(page)).toHaveAccessibleName('Issues, 2 issues not settled, 1 blocks completion');
  await expect(page.locator(`[data-debate="${debate.id}"]`)).toContainText('1 blocking');
  await expect(page.locator('[data-seq="2"]').getByRole('link', { name: 'I1 raised' })).toBeVisible();

  await debate.claim('proposer', 'Done.', [{ change: 'fix', issue: 'I1', note: 'plan 2.1' }]);
  await expect(panel(page).locator('[data-issue="I1"][data-status="fixed"]')).toContainText('plan 2.1');
  await debate.claim('opponent', 'Good.', [{ change: 'resolve', issue: 'I1' }]);
  await expect(panel(page).locator('[data-issue="I1"]')).toBeHidden();
  await expect(button(page)).toHaveAccessibleName('Issues, 1 issue not settled');
  await expect(panel(page).getByRole('radio', { name: 'Resolved 1' })).toBeVisible();
  await panel(page).getByText('Figures').click();
  await expect(panel(page).getByRole('list', { name: 'Issues by round' }).getByRole('listitem')).toHaveText([
    'From #2 to #3: 2 not settled, 0 settled',
    'From #4 to #4: 1 not settled, 1 settled',
  ]);

  // The panel stays open over a reload, and does not take the focus then.
  await page.reload();
  await expect(panel(page).locator('[data-issue="I2"]')).toBeVisible();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test('the changes of an argument are shown, about twenty of them at once', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  const raised = (n: number) => Array.from({ length: n }, (_, index) => raise('low', `Fault ${index + 1}`));
  await debate.claim('opponent', 'Twenty.', raised(20));
  await debate.claim('proposer', 'And?');
  await debate.claim('opponent', 'More.', raised(22));
  await debate.claim('proposer', 'And?');
  // A button for one more would take its room.
  await debate.claim('opponent', 'One more than twenty.', raised(21));
  await open(page, debate);
  const changes = (seq: number) => page.locator(`[data-seq="${seq}"] [data-change]`);
  await expect(changes(6)).toHaveCount(21);
  await expect(changes(4)).toHaveCount(20);
  await page.getByRole('button', { name: 'Show 2 more changes' }).click();
  await expect(changes(4)).toHaveCount(22);
  await page.keyboard.press('m');
  await expect(changes(2)).toHaveCount(20);
});

test('a closed debate tells what was left, and not that it blocks', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'One.', [raise('high', 'No bound')]);
  await debate.appeal('Close it?');
  await debate.ruling('It is over.', true);
  await page.goto(debate.url);
  await expect(button(page)).toHaveAccessibleName('Issues, 1 issue not settled');
  const row = page.locator(`[data-debate="${debate.id}"]`);
  await expect(row).toContainText('1 not settled');
  await expect(row).not.toContainText('blocking');
});

test('mentions and changes in arguments lead to the issue', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await open(page, debate);
  await page.keyboard.press('m');
  const third = page.locator('[data-seq="3"]');
  await third.scrollIntoViewIfNeeded();
  // Not in code, and not where the debate has no such issue.
  await expect(third.locator('.prose').getByRole('link')).toHaveText(['I2']);
  await third.locator('.prose').getByRole('link', { name: 'I2' }).click();
  await expect(panel(page).locator('[data-issue="I2"] [data-focus]')).toBeFocused();
  await expect(panel(page).locator('[data-issue="I2"] .highlight')).toBeVisible();

  // A settled issue is shown though the filter has only those that are not.
  await expect(panel(page).locator('[data-issue="I1"]')).toBeHidden();
  await page.locator('[data-seq="3"]').getByRole('link', { name: 'I1 fixed' }).click();
  await expect(panel(page).locator('[data-issue="I1"] [data-focus]')).toBeFocused();
  await expect(panel(page).getByRole('radio', { name: 'All 6' })).toBeChecked();

  await page.goto(`${debate.url}#I5`);
  await page.reload();
  await expect(panel(page).locator('[data-issue="I5"] [data-focus]')).toBeFocused();
});

test('what is seen of a list can be pressed while the list is scrolled', async ({ page, server }) => {
  await page.setViewportSize({ width: 1360, height: 500 });
  const debate = await disputedDebate(server.url);
  await open(page, debate);
  await button(page).click();
  for (const link of [
    page.locator('article').last().getByRole('link').last(),
    panel(page).locator('[data-issue="I3"]').getByRole('link').first(),
  ]) {
    await link.scrollIntoViewIfNeeded();
    const hit = await link.evaluate(async (element) => {
      let list = element.parentElement;
      while (list !== null && getComputedStyle(list).overflowY !== 'auto') list = list.parentElement;
      const before = list?.scrollTop ?? 0;
      list?.scrollBy(0, before > 0 ? -1 : 1);
      const scrolled = list?.scrollTop !== before;
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      const { left, top, width, height } = element.getBoundingClientRect();
      return scrolled && element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(hit).toBe(true);
  }
});

test('the panel filters by status and shows the history of an issue', async ({ page, server }) => {
  // High enough for all rows of the list, which has only those that are visible.
  await page.setViewportSize({ width: 1280, height: 1600 });
  const debate = await disputedDebate(server.url);
  await open(page, debate);
  await button(page).click();
  await expect(panel(page).locator('[data-issue="I2"]')).toBeVisible();
  expect(await shown(page)).toEqual(['I2', 'I3', 'I4', 'I6']);
  for (const [name, ids] of [
    ['All 6', ['I1', 'I2', 'I3', 'I4', 'I5', 'I6']],
    ['Not settled 4', ['I2', 'I3', 'I4', 'I6']],
    ['Open 2', ['I2', 'I6']],
    ['Fixed, unchecked 2', ['I3', 'I4']],
    ['Resolved 1', ['I1']],
    ['Withdrawn 1', ['I5']],
  ] as const) {
    await panel(page).getByText(name, { exact: true }).click();
    await expect(panel(page).getByRole('radio', { name })).toBeChecked();
    await expect.poll(() => shown(page)).toEqual(ids);
  }
  await panel(page).getByText('Open 2').click();
  const issue = panel(page).locator('[data-issue="I2"]');
  await expect(issue).toContainText('Referred to you');
  await expect(issue).toContainText('Reopened 2×');
  await issue.getByRole('button', { name: 'History of I2' }).click();
  const history = issue.getByRole('list', { name: 'History of I2' });
  await expect(history.getByRole('listitem')).toHaveCount(6);
  await expect(history.getByRole('listitem').nth(1)).toContainText(
    'The sum of three delays is bounded already',
  );
  await history.getByRole('link', { name: 'Go to argument #3' }).click();
  await expect(page.locator('[data-seq="3"].highlight')).toBeVisible();
  await picture(page, 'issues-history');
});

test('the panel is used by keyboard alone', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await open(page, debate);
  const focused = (id: string) =>
    expect(panel(page).locator(`[data-issue="${id}"] [data-focus]`)).toBeFocused();
  await button(page).focus();
  await page.keyboard.press('i');
  await focused('I2');
  await page.keyboard.press('j');
  await focused('I3');
  await page.keyboard.press('ArrowDown');
  await focused('I4');
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await focused('I2');
  await page.keyboard.press('End');
  await focused('I6');
  await page.keyboard.press('Home');
  await page.keyboard.press('h');
  await expect(panel(page).getByRole('list', { name: 'History of I2' })).toBeVisible();
  await page.keyboard.press('j');
  await focused('I3');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-seq="3"].highlight')).toBeVisible();
  await focused('I3');
  // The page is still at this debate: `j` did not go to another one.
  expect(page.url()).toContain(debate.id);
  // Over what its status and its mark mean, Shift+Tab leads to the filter, where the arrow keys choose.
  for (let words = await panel(page).locator('[data-issue="I3"] [data-term]').count(); words >= 0; words -= 1)
    await page.keyboard.press('Shift+Tab');
  await expect(panel(page).getByRole('radio', { name: 'Not settled 4' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(panel(page).getByRole('radio', { name: 'Open 2' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(button(page)).toBeFocused();
  await page.keyboard.press('i');
  await focused('I2');
  await page.keyboard.press('i');
  await expect(panel(page)).toBeHidden();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('The issues');
});

test('the focus is not lost when the focused issue is settled', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'Three.', [
    raise('high', 'One'),
    raise('low', 'Two'),
    raise('low', 'Three'),
  ]);
  await debate.claim('proposer', 'Done.', [{ change: 'fix', issue: 'I2' }]);
  await open(page, debate);
  await page.keyboard.press('i');
  await expect(panel(page).locator('[data-issue="I1"] [data-focus]')).toBeFocused();
  await page.keyboard.press('j');
  await expect(panel(page).locator('[data-issue="I2"] [data-focus]')).toBeFocused();
  await debate.claim('opponent', 'Yes.', [{ change: 'resolve', issue: 'I2' }]);
  await expect(panel(page).locator('[data-issue="I3"] [data-focus]')).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the issues are a sheet, which closes to show an argument', async ({ page, server }) => {
    const debate = await disputedDebate(server.url);
    await open(page, debate);
    await expect(button(page)).toContainText('4');
    await button(page).click();
    const sheet = page.getByRole('dialog', { name: 'Issues' });
    await expect(sheet.locator('[data-issue="I2"] [data-focus]')).toBeFocused();
    await sheet.getByRole('link', { name: /Nothing is logged/ }).click();
    await expect(sheet).toBeHidden();
    await expect(page.locator('[data-seq="3"].highlight')).toBeVisible();
    await page.locator('[data-seq="3"]').getByRole('link', { name: 'I4 fixed' }).click();
    await expect(sheet.locator('[data-issue="I4"] [data-focus]')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(page.locator('[data-seq="3"]').getByRole('link', { name: 'I4 fixed' })).toBeFocused();
  });
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds no violations in the issues', async ({ page, server }) => {
      const debate = await disputedDebate(server.url);
      await open(page, debate);
      await page.keyboard.press('i');
      await expect(page.locator('[data-issue="I2"]')).toBeVisible();
      await page.locator('#issues label').first().click();
      await page.locator('[data-issue="I2"] button[aria-expanded]').click();
      await expect(page.locator('[data-issue="I2"] ol li')).toHaveCount(6);
      await expectNoViolations(page, `${name}-issues`);
    });
  });
}

test('the panel renders about as many issues as are seen when it opens', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  const faults = Array.from({ length: 40 }, (_, n) => raise('medium', `Fault ${n + 1}`, `plan ${n}`));
  await debate.claim('opponent', 'Forty.', faults);
  await openLive(page, debate.url);
  await partsLoaded(page);
  await page.evaluate(() => {
    const rendered = new Set<string | undefined>();
    Object.assign(window, { rendered });
    new MutationObserver(() => {
      for (const issue of document.querySelectorAll<HTMLElement>('[data-issue]'))
        rendered.add(issue.dataset.issue);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('i');
  await expect(page.locator('[data-issue=I1] [data-focus]')).toBeFocused();
  const rendered = await page.evaluate(() => (window as unknown as { rendered: Set<string> }).rendered.size);
  const seen = await page
    .locator('[data-issue]')
    .evaluateAll((all) => all.filter((issue) => issue.getBoundingClientRect().top < innerHeight).length);
  expect(rendered).toBeLessThanOrEqual(seen + 5);
});

test('an address of an issue that is not there says so', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(`${debate.url}#I99`);
  await expect(page.getByText('There is no issue I99')).toBeVisible();
  await page.goto(`${debate.url}#I5`);
  await expect(page.locator('[data-issue=I5]')).toBeVisible();
  await expect(page.getByText('There is no issue I5')).toBeHidden();
});

test('an argument shows how severe an issue was when it was written', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Import');
  await debate.claim('opponent', 'One.', [raise('high', 'Nothing is logged')]);
  await debate.claim('proposer', 'Rare.', [{ change: 'dispute', issue: 'I1', note: 'Rare.' }]);
  await debate.claim('opponent', 'So be it.', [{ change: 'regrade', issue: 'I1', severity: 'low' }]);
  await page.goto(debate.url);
  const change = (seq: number) => page.locator(`[data-seq="${seq}"] [data-change]`);
  await expect(change(4)).toContainText('Low');
  await expect(change(3)).toContainText('High');
  await expect(change(2)).toContainText('High');
});
