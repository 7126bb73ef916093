import type { Page } from '@playwright/test';
import { agreedDebate, disputedDebate, IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { expect, openLive, test } from './support/test';

const UNBROKEN = 'Averyverylongnamewithoutanyblank'.repeat(6);
const ARABIC = 'لماذا يجب أن ننتظر؟ السياسة (v2) تقول: `retry` ثلاث مرات.';

test.describe('a page at 400 %, or on a phone held sideways', () => {
  test.use({ viewport: { width: 360, height: 225 } });

  test('heads scroll away, so that what they stand above has room', async ({ page, server }) => {
    const issues = await disputedDebate(server.url);
    const { debate, plan } = await planDebate(server.url);
    const closed = await agreedDebate(server.url);
    await closed.ruling('Done.', true);
    const views: [string, string, number][] = [
      [`${issues.url}?issues`, '#issues [role=list]', 160],
      [`${debate.url}?plan`, '#plan .plan-text', 160],
      [`${debate.url}?doc=${plan}`, '[role=dialog] > section', 160],
      [`${issues.url}?record`, '.record-screen > section', 160],
      [closed.url, '[aria-label="Arguments, oldest first"]', 90],
    ];
    for (const [url, selector, least] of views) {
      await page.goto(url);
      await page.waitForLoadState('networkidle');
      const shown = page.locator(selector);
      await shown.evaluate((element) => element.scrollIntoView({ block: 'end' }));
      const room = await shown.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return Math.min(bottom, innerHeight) - Math.max(top, 0);
      });
      expect(room, selector).toBeGreaterThanOrEqual(least);
    }
  });
});

test('where the system chooses the colours, what they alone told is drawn', async ({ page, server }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const agreed = await agreedDebate(server.url);
  await openLive(page, agreed.url);
  await expect(page.locator('[data-primary]')).toHaveCSS('border-top-width', '1px');
  await expect(page.locator('a[aria-current=page]')).toHaveCSS('outline-style', 'solid');
  await expect(page.locator('[data-connection] > span').first()).toHaveCSS('forced-color-adjust', 'none');
  const { debate } = await planDebate(server.url);
  await page.goto(`${debate.url}?plan&view=changes&form=rendered`);
  await expect(page.locator('#plan ins').first()).toHaveCSS('text-decoration-line', 'underline');
  await expect(page.locator('#plan del').first()).toHaveCSS('text-decoration-line', 'line-through');
});

test('a record on paper is as wide as the paper, whatever is in it', async ({ page, server }) => {
  const text = `\`\`\`\n${UNBROKEN}\n\`\`\`\n\n| a | b |\n| --- | --- |\n| ${UNBROKEN} | ${UNBROKEN} |`;
  const debate = await IssueDebate.create(server.url, UNBROKEN.slice(0, 190), text);
  await debate.claim('opponent', 'No.', [raise('high', UNBROKEN.slice(0, 190), UNBROKEN)]);
  await page.setViewportSize({ width: 760, height: 1000 });
  await page.goto(`${debate.url}?record`);
  await expect(page.locator('.record table').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const wide = await page
    .locator('.record, .record *')
    .evaluateAll((all) =>
      all
        .filter((each) => each.getBoundingClientRect().right > innerWidth || each.scrollWidth > innerWidth)
        .map(({ tagName, className }) => `${tagName}.${className}`),
    );
  expect(wide).toEqual([]);
});

test('a debate on paper has its texts, and nothing to press', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  for (const address of [debate.url, `${debate.url}#2`]) {
    await openLive(page, address);
    const text = page.locator('#debate .prose').first();
    await expect(text).toBeVisible();
    const controls = page.locator('#debate :is(button:not([data-term]), select, textarea)');
    await expect(controls.filter({ visible: true })).not.toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    await expect(text).toBeVisible();
    await expect(controls.filter({ visible: true })).toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
  }
});

/** Texts that begin with an Arabic letter, in elements whose lines begin at the left. */
const fromTheLeft = (page: Page) =>
  page.locator('h1, h2, h3, h4, p, td').evaluateAll((all) =>
    all
      .filter((each) => /^[\u0600-\u06ff]/.test(each.textContent?.trim() ?? ''))
      .filter((each) => getComputedStyle(each).direction !== 'rtl')
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );

test('a text from right to left begins at the right', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, ARABIC, `${ARABIC}\n\n- ${ARABIC}`);
  await debate.claim('opponent', ARABIC, [raise('high', ARABIC, ARABIC)]);
  await debate.claim('proposer', ARABIC, [{ change: 'dispute', issue: 'I1', note: ARABIC }]);
  await debate.claim('opponent', ARABIC, [{ change: 'reopen', issue: 'I1', note: ARABIC }]);
  await debate.appealWith(
    ARABIC,
    [{ label: ARABIC, detail: ARABIC }],
    [{ change: 'refer', issue: 'I1', note: ARABIC }],
  );
  // Of the other card of the inbox one line of each side is shown.
  const other = await IssueDebate.create(server.url, ARABIC, ARABIC);
  await other.claim('opponent', ARABIC);
  await other.appeal(ARABIC);
  for (const address of [
    server.url,
    debate.url,
    `${debate.url}#2`,
    `${debate.url}#I1`,
    `${debate.url}?record`,
  ]) {
    await page.goto(address);
    await expect(page.getByText('لماذا').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await fromTheLeft(page), address).toEqual([]);
  }
  await page.goto(server.url);
  for (const side of ['proposer', 'opponent']) {
    await expect(page.locator(`[data-side-line=${side}]`)).toHaveCSS('direction', 'rtl');
  }
  await page.goto(`${debate.url}#I1`);
  await expect(page.locator('[data-issue=I1] h3')).toHaveCSS('direction', 'rtl');
});

test('a word in a card that leads somewhere says what it means, and leads nowhere', async ({
  page,
  server,
}) => {
  const debate = await disputedDebate(server.url);
  await page.goto(`${debate.url}#I2`);
  const word = page.locator('[data-issue=I2] [data-term]').first();
  await word.click();
  await expect(page).toHaveURL(`${debate.url}#I2`);
  await expect(page.locator('#issues')).toBeVisible();
  await expect(word).toBeFocused();
});

test('by keyboard alone from the inbox to the debate, a ruling and the record', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Cache the prices');
  await debate.claim('opponent', 'One.', [raise('high', 'Never evicted')]);
  await debate.appeal('For how long?', [{ change: 'refer', issue: 'I1' }], ['An hour', 'A day']);
  await page.goto(server.url);
  const tabTo = async (role: 'link' | 'radio' | 'textbox' | 'button', name: string) => {
    const wanted = page.getByRole(role, { name }).last();
    await expect(wanted).toBeVisible();
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
    }
    await expect(wanted).toBeFocused();
  };
  await tabTo('link', 'Cache the prices');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(debate.url);
  await expect(page.locator('#debate')).toBeFocused();
  await tabTo('radio', 'An hour');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'A day' })).toBeChecked();
  await tabTo('textbox', 'Your ruling');
  await page.keyboard.type('Prices change at night.');
  await tabTo('button', 'Close the debate');
  await page.keyboard.press('Enter');
  await tabTo('button', 'Close for good');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This debate is closed')).toBeVisible();
  await tabTo('link', 'The record');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Record' })).toBeFocused();
});
