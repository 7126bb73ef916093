import type { Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { Agents } from './support/agents';
import { IssueDebate } from './support/issueDebate';
import { addVersion, planDebate, THIRD } from './support/planDebate';
import { post } from './support/rest';
import { expect, picture, test } from './support/test';

const plan = (page: Page) => page.getByRole('complementary', { name: 'Plan' });
const place = (page: Page) => plan(page).getByRole('status').filter({ hasText: /^v\d/ });
const box = (page: Page) => page.getByRole('textbox', { name: 'Your ruling' });

/** A debate about a plan, on which one rules. */
async function askedPlan(server: string) {
  const planned = await planDebate(server);
  await planned.debate.appeal('Is the plan good enough?');
  return planned;
}

/** Writes what is said about the selected lines, by keyboard. */
async function write(page: Page, key: 'c' | 'i', text: string) {
  await page.keyboard.press(key);
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
}

test('a ruling with two comments, an issue that it raises and one that it dismisses, by keyboard alone', async ({
  page,
  server,
}) => {
  const { debate, plan: id } = await askedPlan(server.url);
  await page.goto(debate.url);
  await expect(box(page)).toBeVisible();
  await page.keyboard.press('p');
  // What changed since the last ruling, with the focus in it.
  await expect(plan(page).getByRole('region', { name: 'Changes' })).toBeFocused();
  await expect(plan(page).locator('ins').first()).toBeVisible();
  await page.keyboard.press('d');
  await page.keyboard.press('v');
  await expect(plan(page).locator('.raw-text')).toBeVisible();

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(place(page)).toHaveText('v3, line 3');
  await write(page, 'c', 'Who tells that it changed?');
  await expect(page.getByText('The comment waits in your ruling')).toBeVisible();

  for (let step = 0; step < 4; step += 1) await page.keyboard.press('j');
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(place(page)).toHaveText('v3, lines 7–9');
  await write(page, 'c', 'These three are one.');

  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await expect(place(page)).toHaveText('v3, line 7');
  await write(page, 'i', 'Step 1 cannot be undone');
  await expect(page.getByText('The issue waits in your ruling')).toBeVisible();
  await picture(page, 'plan-collected');

  // Escape drops the selection, then closes the panel.
  await page.keyboard.press('Escape');
  await expect(place(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(plan(page)).toHaveCount(0);
  await page.keyboard.press('r');
  await page.keyboard.type('Not yet.');
  const leave = page.locator('[data-decide="I3"]').getByRole('radio', { name: 'Leave' });
  for (let tabs = 0; tabs < 20; tabs += 1) {
    await page.keyboard.press('Shift+Tab');
    if (await leave.evaluate((radio) => radio === document.activeElement)) break;
  }
  await expect(leave).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Enter');

  const ruling = page.locator('[data-type=RULING]').last();
  await expect(ruling).toContainText('These three are one.');
  await expect(ruling.locator('[data-change] a')).toHaveText(['I3 dismissed', 'I4 raised']);
  const answer = await fetch(`${server.url}/debates/${debate.id}?limit=1`);
  const [stored] = (await answer.json()).data.arguments;
  expect(stored.content).toBe(
    [
      'Not yet.',
      `> doc_id=${id} v3, line 3\n>\n> We keep the price list in memory until it **changes**.`,
      'Who tells that it changed?',
      `> doc_id=${id} v3, lines 7-9\n>\n> 1. Step 1 of the work.\n> 2. Step 2 of the work.\n> 3. Step 3 of the work.`,
      'These three are one.',
    ].join('\n\n'),
  );
  expect(stored.citations).toMatchObject([{ document_id: id, version: 3 }]);
  expect((await debate.issues())[3]).toMatchObject({
    title: 'Step 1 cannot be undone',
    location: `doc_id=${id} v3, line 7`,
    raised_by: 'arbitrator',
  });
});

test('the changes since the last ruling, rendered and raw, name what they answer', async ({
  page,
  server,
}) => {
  const { debate, plan: id } = await planDebate(server.url);
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Plan, v3' }).click();
  await expect(plan(page).getByRole('heading', { name: 'Cache the price list', level: 2 })).toBeVisible();
  await expect(plan(page).getByRole('combobox', { name: 'From version' })).toHaveValue('2');
  await expect(plan(page).getByRole('combobox', { name: 'To version' })).toHaveValue('3');
  const [first, second] = [
    plan(page).locator('[data-answers]').first(),
    plan(page).locator('[data-answers]').last(),
  ];
  // Line 3 is named by the note on I2, the other change only by the argument.
  await expect(first).toContainText('#7');
  // Version 2, with which it is compared, came with another argument.
  await expect(first).not.toContainText('#3');
  await expect(first).toContainText('I2');
  await expect(second).toContainText('#7');
  await expect(second).not.toContainText('I2');
  await expect(plan(page).locator('[data-change=removed] del').first()).toContainText('for');
  await expect(plan(page).locator('[data-change=added] ins').first()).toHaveText('until it');
  await picture(page, 'plan-changes');

  await plan(page).getByRole('button', { name: 'Raw', exact: true }).click();
  const table = plan(page).getByRole('table', { name: 'Changes from version 2 to version 3' });
  await expect(table.locator('.added .text').first()).toHaveText(
    'We keep the price list in memory until it **changes**.',
  );
  await expect(table.locator('[data-answers]')).toHaveCount(2);
  await picture(page, 'plan-changes-raw');

  await plan(page).getByRole('combobox', { name: 'From version' }).selectOption('1');
  await expect(plan(page).getByRole('table', { name: 'Changes from version 1 to version 3' })).toBeVisible();
  await expect(page).toHaveURL(`${debate.url}?plan&view=changes&from=1&form=raw`);
  await page.reload();
  await expect(plan(page).getByRole('table', { name: 'Changes from version 1 to version 3' })).toBeVisible();

  // A new version that the proposer cites is shown when it comes.
  await plan(page).getByRole('combobox', { name: 'From version' }).selectOption('2');
  await debate.claim('proposer', `The plan stays doc_id=${id} v3.`);
  await expect(page.locator('[data-seq="9"]')).toBeVisible();
  await expect(plan(page).getByRole('table', { name: 'Changes from version 2 to version 3' })).toBeVisible();
});

test('lines selected by mouse are commented; comments survive a reload and become issues', async ({
  page,
  server,
}) => {
  const { debate } = await askedPlan(server.url);
  await page.goto(`${debate.url}?plan&view=text`);
  const paragraph = plan(page).locator('[data-lines="3-3"]');
  await expect(paragraph.locator('strong')).toBeVisible();
  // A click selects a line, and another one drops it.
  await paragraph.click();
  await expect(place(page)).toHaveText('v3, line 3');
  await paragraph.click();
  await expect(place(page)).toBeHidden();
  await paragraph.selectText();
  await expect(place(page)).toHaveText('v3, line 3');
  await plan(page).getByRole('button', { name: 'Comment', exact: true }).click();
  await plan(page).getByRole('textbox', { name: 'Your comment' }).fill('Who tells?');
  await picture(page, 'plan-comment');
  await plan(page).getByRole('button', { name: 'Done' }).click();
  // What was said is said: form, buttons and selection are gone.
  await expect(place(page)).toHaveCount(0);

  await plan(page).getByRole('button', { name: 'Raw', exact: true }).click();
  const line = (n: number) => plan(page).locator(`[data-lines="${n}-${n}"]`);
  await line(7).click({ position: { x: 20, y: 5 } });
  await line(9).click({ position: { x: 20, y: 5 }, modifiers: ['Shift'] });
  await expect(place(page)).toHaveText('v3, lines 7–9');
  await plan(page).getByRole('button', { name: 'Comment', exact: true }).click();
  await plan(page).getByRole('textbox', { name: 'Your comment' }).fill('One step.\nNot three.');
  // The second click of a double one selects nothing of the text that takes the place of the form.
  await plan(page).getByRole('button', { name: 'Done' }).dblclick();
  await expect(page.locator('[data-comment]')).toHaveCount(2);
  // A selection of text is taken up after a while only.
  await page.waitForTimeout(300);
  await expect(place(page)).toHaveCount(0);
  expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
  await picture(page, 'plan-selection');

  await page.reload();
  await expect(page.locator('[data-comment]')).toHaveCount(2);
  await expect(plan(page).locator('[data-commented]').first()).toBeVisible();
  await page.getByRole('button', { name: 'Turn the comment on v3, lines 7–9 into an issue' }).click();
  await expect(page.locator('[data-comment]')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue('One step.');
  await expect(page.getByRole('textbox', { name: 'Location (optional)' })).toHaveValue(/v3, lines 7-9$/);
  // A comment alone is a ruling, too.
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  const ruling = page.locator('[data-type=RULING]').last();
  await expect(ruling).toContainText('Who tells?');
  await expect(ruling.locator('[data-change] a')).toHaveText(['I4 raised']);
});

test.describe('citations', () => {
  test.use({ allowedErrors: /Failed to load resource.*404/ });

  test('lead to their version in the panel, and are marked if it does not exist', async ({
    page,
    server,
  }) => {
    const { debate, plan: id } = await planDebate(server.url);
    const missing = '00000000-0000-4000-8000-000000000000';
    await debate.claim('proposer', `See doc_id=${id} v1, doc_id=${id} v9 and doc_id=${missing} v1.`);
    await page.goto(debate.url);
    const last = page.locator('[data-seq="9"]');
    await expect(last.locator('.unknown-citation')).toHaveCount(2);
    await expect(last.getByRole('link', { name: 'Cache the price list v1', exact: true })).not.toHaveClass(
      /unknown/,
    );
    await picture(page, 'plan-citations');
    await last.getByRole('link', { name: 'Cache the price list v1', exact: true }).click();
    await expect(plan(page).getByRole('combobox', { name: 'Version' })).toHaveValue('1');
    await expect(plan(page).locator('strong').first()).toHaveText('60 seconds');
    await last.getByRole('link', { name: `doc_id=${id} v9` }).click();
    await expect(plan(page).getByRole('heading', { name: 'There is no version 9' })).toBeVisible();
    await plan(page).getByRole('button', { name: 'Show version 3' }).click();
    await expect(plan(page).getByRole('combobox', { name: 'Version' })).toHaveValue('3');
  });
});

test('beside a decision the names of the versions are not cut', async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { debate } = await askedPlan(server.url);
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Plan, v3' }).click();
  for (const view of ['Changes', 'Text']) {
    await plan(page).getByText(view, { exact: true }).click();
    await expect(plan(page).getByRole('combobox').first()).toBeVisible();
    const cut = await plan(page)
      .getByRole('combobox')
      .evaluateAll((all) =>
        all.map((menu) => {
          const free = menu.cloneNode(true) as HTMLElement;
          free.style.cssText = 'position: absolute; width: auto; max-width: none; flex: none';
          menu.after(free);
          const more = free.offsetWidth - menu.clientWidth;
          free.remove();
          return more;
        }),
      );
    expect(Math.max(...cut)).toBeLessThanOrEqual(2);
  }
});

test('what changed is in view at once, in the plan and below the question', async ({ page, server }) => {
  const { debate, plan: id } = await planDebate(server.url);
  const rest = Array.from({ length: 12 }, (_, index) => `Paragraph ${index + 1}.`).join('\n\n');
  await addVersion(server.url, id, 'More', `${THIRD}\n${rest}\n`);
  await debate.claim('proposer', `Now doc_id=${id} v4.`);
  await debate.claim('opponent', 'Good.');
  await addVersion(server.url, id, 'The end', `${THIRD}\n${rest}\n\nAnd an end.\n`);
  await debate.resolution(`Done: doc_id=${id} v5.`);
  await page.goto(debate.url);
  await page.getByRole('link', { name: 'Show what changed' }).click();
  const change = plan(page).locator('[data-change=added]');
  await expect(change).toHaveText(/And an end/);
  await expect(change).toBeInViewport({ ratio: 1 });
  await expect(plan(page).getByText('Paragraph 1.')).toBeVisible();
  await page.keyboard.press('p');
  const below = page.getByRole('region', { name: 'What changed in the plan' });
  await below.locator('summary').click();
  await expect(below.locator('[data-change=added]')).toHaveText(/And an end/);
  await expect(below.getByText('Paragraph 1.')).toHaveCount(0);
  await below
    .getByRole('button', { name: /^Show \d+ unchanged parts/ })
    .last()
    .click();
  await expect(below.getByText('Paragraph 1.')).toBeVisible();
});

test('lines of the text have the numbers under which they are commented on, among changes, too', async ({
  page,
  server,
}) => {
  const { debate, plan: id } = await planDebate(server.url);
  const steps = plan(page).locator('.rendered-text [data-lines]:not(tr, pre)');
  for (const view of ['text', 'changes']) {
    await page.goto(`${debate.url}?plan=${id}&v=3&view=${view}`);
    await expect(steps.first()).toBeVisible();
    const numbers = await steps.evaluateAll((all) =>
      all.map((each) => {
        const { content } = getComputedStyle(each, '::before');
        const isOld = each.closest('[data-old]') !== null;
        return [content, isOld ? 'none' : `"${each.getAttribute('data-lines')?.split('-')[0]}" / ""`];
      }),
    );
    expect(numbers.length).toBeGreaterThan(4);
    expect(numbers.some(([, wanted]) => wanted === 'none')).toBe(view === 'changes');
    for (const [shown, wanted] of numbers) expect(shown).toBe(wanted);
  }
});

test('of changes it is said how many there are, and a button leads to the next one', async ({
  page,
  server,
}) => {
  const { debate } = await planDebate(server.url);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`${debate.url}?plan&view=changes&from=1`);
  const plan = page
    .getByRole('dialog', { name: 'Plan' })
    .or(page.getByRole('complementary', { name: 'Plan' }));
  await expect(plan.getByText('2 places changed')).toBeVisible();
  const parts = plan.locator('[data-changed-part]');
  const next = plan.getByRole('button', { name: 'Next change' });
  await expect(parts.first()).toBeInViewport();
  await expect(parts.nth(1)).not.toBeInViewport();
  // The first one is in view already.
  await next.click();
  await expect(parts.nth(1)).toBeInViewport();
  await expect(plan.getByText('2 / 2')).toBeVisible();
  await expect(next).toBeInViewport();
  await next.click();
  await expect(parts.first()).toBeInViewport();
});

test('a version is not compared with itself', async ({ page, server }) => {
  const { document } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'Draft',
    content: 'One.\n',
  });
  const single = await IssueDebate.create(server.url, 'One version', `The plan is doc_id=${document.id} v1.`);
  await page.goto(single.url);
  await page.getByRole('button', { name: 'Plan, v1' }).click();
  await plan(page).getByText('Changes', { exact: true }).click();
  await expect(plan(page)).toContainText('There is only one version: nothing to compare');

  const { debate } = await planDebate(server.url);
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Plan, v3' }).click();
  await plan(page).getByText('Changes', { exact: true }).click();
  await plan(page).getByRole('combobox', { name: 'From version' }).selectOption('3');
  await expect(plan(page)).toContainText('Choose two versions to compare');
});

test('a debate in which nothing is cited has no plan', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('No plan', 'Only words.');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await expect(page.locator('[data-seq="1"]')).toBeVisible();
  await expect(page.getByRole('button', { name: 'No plan yet' })).toBeDisabled();
  await page.keyboard.press('p');
  await expect(plan(page)).toBeHidden();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the plan is a sheet in which lines are selected by touch', async ({ page, server }) => {
    const { debate } = await planDebate(server.url);
    await page.goto(debate.url);
    await page.getByRole('button', { name: 'Plan, v3' }).tap();
    await expect(page.getByRole('dialog')).toBeVisible();
    await picture(page, 'plan-phone');
    await plan(page).getByText('Text', { exact: true }).tap();
    await plan(page).getByRole('button', { name: 'Raw', exact: true }).tap();
    const line = (n: number) => plan(page).locator(`[data-lines="${n}-${n}"]`);
    await line(7).tap({ position: { x: 20, y: 8 } });
    await expect(place(page)).toHaveText('v3, line 7');
    await line(9).tap({ position: { x: 20, y: 8 } });
    await expect(place(page)).toHaveText('v3, lines 7–9');
    await plan(page).getByRole('button', { name: 'Comment', exact: true }).tap();
    await plan(page).getByRole('textbox', { name: 'Your comment' }).fill('One step.');
    await picture(page, 'plan-phone-comment');
    await plan(page).getByRole('button', { name: 'Done' }).tap();
    await plan(page).getByRole('button', { name: 'Close the plan' }).tap();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByText('v3, lines 7–9: “One step.”')).toBeVisible();

    const button = page.getByRole('button', { name: 'Plan, v3' });
    await button.tap();
    await expect(plan(page).getByRole('region', { name: 'Changes' })).toBeFocused();
    await page.keyboard.press('d');
    await expect(plan(page).locator('[data-lines="5-5"]')).toBeVisible();
    await page.keyboard.press('j');
    await expect(place(page)).toBeVisible();
    // Escape drops the selection, then closes the sheet.
    await page.keyboard.press('Escape');
    await expect(place(page)).toHaveCount(0);
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(button).toBeFocused();
  });
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds no violations in the plan', async ({ page, server }) => {
      const { debate } = await askedPlan(server.url);
      await page.goto(`${debate.url}?plan&view=changes&form=rendered`);
      await expect(page.locator('[data-answers]').first()).toBeVisible();
      await expectNoViolations(page, `${name}-plan-changes`);
      await page.goto(`${debate.url}?plan&view=changes&form=raw`);
      await expect(page.locator('[data-answers]').first()).toBeVisible();
      await expectNoViolations(page, `${name}-plan-changes-raw`);
      await page.goto(`${debate.url}?plan&view=text&form=rendered`);
      await expect(page.locator('.plan-text strong').first()).toBeVisible();
      await page.locator('.plan-text p').first().selectText();
      await page.locator('#plan [aria-keyshortcuts=c]').click();
      await page.locator('#plan form textarea').fill('Who tells?');
      await expectNoViolations(page, `${name}-plan-comment`);
      await page.locator('#plan form [type=submit]').click();
      await page.locator('.plan-text p').nth(1).selectText();
      await page.locator('#plan [aria-keyshortcuts=i]').click();
      await expectNoViolations(page, `${name}-plan-issue`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(page.locator('[data-comment]')).toBeVisible();
      await expectNoViolations(page, `${name}-plan-collected`);
    });
  });
}

test('a line that is gone is commented on, also where nothing changed since the last ruling', async ({
  page,
  server,
}) => {
  const { debate } = await askedPlan(server.url);
  await debate.rule('It is.');
  await debate.appeal('And now?');
  await page.goto(`${debate.url}?plan&view=changes`);
  await plan(page).locator('[data-old]').first().hover();
  await plan(page)
    .getByRole('button', { name: /^Comment on v1/ })
    .click();
  await page.keyboard.type('Why is it gone?');
  await expect(plan(page).getByRole('textbox', { name: 'Your comment' })).toHaveValue('Why is it gone?');
});

test('a button beside the lines comments on them, by mouse and by keyboard', async ({ page, server }) => {
  const { debate } = await planDebate(server.url);
  await page.goto(debate.url);
  await expect(page.locator('article').first()).toBeVisible();
  await page.keyboard.press('p');
  await expect(plan(page).getByRole('region', { name: 'Changes' })).toBeFocused();
  await page.keyboard.press('d');
  await expect(plan(page).locator('[data-lines="5-5"]')).toBeVisible();
  await expect(plan(page).getByRole('button', { name: /^Comment on/ })).toHaveCount(0);
  await plan(page).locator('[data-lines="5-5"]').hover();
  const button = plan(page).getByRole('button', { name: 'Comment on v3, line 5', exact: true });
  const [lines, beside] = await Promise.all([
    plan(page).locator('[data-lines="5-5"]').boundingBox(),
    button.boundingBox(),
  ]);
  expect(Math.abs((lines?.y ?? 0) - (beside?.y ?? 99))).toBeLessThan(12);
  await picture(page, 'plan-comment-button');
  await button.click();
  await expect(plan(page).getByRole('textbox', { name: 'Your comment' })).toBeFocused();
  await expect(place(page)).toHaveText('v3, line 5');
  await page.keyboard.press('Escape');
  await page.mouse.move(0, 0);
  // It is beside selected lines for the keyboard.
  await page.keyboard.press('j');
  await expect(plan(page).getByRole('button', { name: /^Comment on v3, line/ })).toHaveCount(1);
  // The panel is remembered for this debate alone.
  await page.reload();
  await expect(plan(page)).toBeVisible();
  const other = await planDebate(server.url);
  await page.goto(other.debate.url);
  await expect(page.locator('article').first()).toBeVisible();
  await expect(plan(page)).toBeHidden();
});

test('a comment that is being written is part of the ruling, and stays until it is cancelled', async ({
  page,
  server,
}) => {
  const { debate } = await askedPlan(server.url);
  await page.goto(`${debate.url}?plan&view=text`);
  const begin = async (text: string) => {
    await plan(page).locator('[data-lines="3-3"]').click();
    await plan(page).getByRole('button', { name: 'Comment', exact: true }).click();
    await page.keyboard.type(text);
  };
  const summary = page.locator('[data-ruling-summary]');
  await begin('Who tells?');
  await expect(summary).toContainText('v3, line 3: “Who tells?”');
  await plan(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(summary).toBeHidden();
  await plan(page).getByRole('button', { name: 'Clear the selection' }).click();
  await begin('Who knows?');
  await page.reload();
  await expect(summary).toContainText('“Who knows?”');
  await begin('And when?');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-comment]')).toHaveCount(2);
  await plan(page).getByRole('button', { name: 'Clear the selection' }).waitFor({ state: 'hidden' });
  await begin('Now?');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  const ruling = page.locator('[data-type=RULING]').last();
  for (const text of ['Who knows?', 'And when?', 'Now?']) await expect(ruling).toContainText(text);
  await expect(ruling).not.toContainText('Who tells?');
  await expect(plan(page).getByRole('textbox', { name: 'Your comment' })).toBeHidden();
});

test('of a long paragraph a single line is commented on, with a button that stays in view', async ({
  page,
  server,
}) => {
  const lines = Array.from({ length: 90 }, (_, index) => `Sentence ${index + 1} of one paragraph.`);
  const { document } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'One paragraph',
    content: `# Plan\n\n${lines.join('\n')}\n`,
  });
  const debate = await IssueDebate.create(server.url, 'A plan', `The plan is doc_id=${document.id} v1.`);
  await debate.claim('opponent', 'No.');
  await debate.appeal('Which?');
  await page.goto(`${debate.url}?plan&view=text`);
  const paragraph = plan(page).locator('[data-lines="3-92"]');
  await expect(paragraph).toBeVisible();
  const region = plan(page).getByRole('region', { name: 'Text' });
  await region.evaluate((text) => text.scrollTo(0, 300));
  await region.hover();
  const button = plan(page).getByRole('button', { name: 'Comment on v1, lines 3–92' });
  await expect(button).toBeInViewport({ ratio: 1 });
  await paragraph.click();
  await expect(place(page)).toHaveText('v1, lines 3–92');
  // It comments on those that are selected.
  const first = plan(page).getByRole('combobox', { name: 'First line' });
  await first.selectOption('39: Sentence 37 of one paragraph.');
  await region.hover();
  await plan(page).getByRole('button', { name: 'Comment on v1, line 39', exact: true }).click();
  await expect(place(page)).toHaveText('v1, line 39');
  await plan(page).getByRole('textbox', { name: 'Your comment' }).fill('Why this one?');
  // The lines of what is written already change with the selection.
  await first.selectOption('40: Sentence 38 of one paragraph.');
  await expect(place(page)).toHaveText('v1, line 40');
  await expect(page.locator('[data-ruling-summary]')).toContainText('v1, line 40: “Why this one?”');
  await plan(page)
    .getByRole('combobox', { name: 'Last line' })
    .selectOption('41: Sentence 39 of one paragraph.');
  await plan(page).getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  const ruling = page.locator('[data-type=RULING]').last();
  await expect(ruling).toContainText(
    /lines 40-41.*Sentence 38 of one paragraph.\s*Sentence 39 of one paragraph./s,
  );
  await expect(ruling).not.toContainText('Sentence 40');
});
