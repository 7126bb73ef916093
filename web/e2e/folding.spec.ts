import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { IssueDebate, raise } from './support/issueDebate';
import { Server } from './support/server';
import { test as base, expect } from './support/test';

/** Ten rounds of which only the last is not settled, with an appeal and a ruling in between. */
async function longDebate(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Ten rounds');
  for (let round = 1; round <= 10; round += 1) {
    const settle = round > 1 ? [{ change: 'resolve', issue: `I${round - 1}` }] : [];
    await debate.claim('opponent', `Round ${round}.`, [...settle, raise('medium', `Issue ${round}`)]);
    if (round === 5) {
      await debate.appeal('Which way?');
      await debate.rule('Left.');
    }
    await debate.claim('proposer', `Answer ${round}.`, [{ change: 'fix', issue: `I${round}` }]);
  }
  return debate;
}

/** The tests only read, so they share one server. */
const test = base.extend<object, { shared: { server: Server; debate: IssueDebate } }>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = await Server.start();
      await use({ server, debate: await longDebate(server.url) });
      await server.remove();
    },
    { scope: 'worker' },
  ],
  server: ({ shared }, use) => use(shared.server),
});

test('settled rounds are folded, and shown by keyboard', async ({ page, shared }) => {
  await page.goto(shared.debate.url);
  await expect(page.locator('[data-seq="23"]')).toBeVisible();
  const newest = page.getByRole('button', { name: 'Go to the newest' });
  await expect(newest).toBeHidden();
  await page.keyboard.press('m');
  await expect(page.locator('[data-seq="1"]')).toBeVisible();
  const fold = page.locator('[data-fold]').first();
  await expect(fold).toHaveAccessibleName(/10 settled arguments|9 settled arguments/);
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  // What was asked and decided is not folded.
  await expect(page.locator('[data-type="APPEAL"]')).toBeVisible();
  await expect(page.locator('[data-type="RULING"]')).toBeVisible();
  await expect(page.locator('[data-seq="4"]')).toBeHidden();
  await fold.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-seq="4"]')).toBeAttached();
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await expect(fold).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-seq="4"]')).toBeHidden();
  await newest.click();
  await expect(page.locator('[data-seq="23"]')).toBeInViewport();
  await expect(newest).toBeHidden();
});

test('a deep link and a jump unfold', async ({ page, shared }) => {
  await page.goto(`${shared.debate.url}#6`);
  await expect(page.locator('[data-seq="6"].highlight')).toBeVisible();
  await page.goto(shared.debate.url);
  await expect(page.locator('[data-seq="23"]')).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#15';
  });
  await expect(page.locator('[data-seq="15"].highlight')).toBeVisible();
});

test('figures: for whom the debate waited', async ({ page, shared }) => {
  await page.goto(shared.debate.url);
  await expect(page.locator('[data-seq="23"]')).toBeVisible();
  await page.keyboard.press('i');
  const timeline = page.getByRole('region', { name: 'Figures' });
  await page.getByText('Figures').click();
  await expect(timeline.locator('[data-waited]')).toHaveCount(3);
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('folds and the timeline have no violations', async ({ page, shared }) => {
      await page.goto(shared.debate.url);
      await expect(page.locator('[data-seq="23"]')).toBeVisible();
      await page.keyboard.press('m');
      await expect(page.locator('[data-fold]').first()).toBeVisible();
      await expectNoViolations(page, `${name}-folds`);
      await page.keyboard.press('i');
      await page.locator('#issues summary').click();
      await expect(page.locator('[data-waited]')).toHaveCount(3);
      await expectNoViolations(page, `${name}-timeline`);
    });
  });
}
