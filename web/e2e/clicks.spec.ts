import type { Page } from '@playwright/test';
import { agreedDebate, IssueDebate, raise } from './support/issueDebate';
import { addVersion, planDebate } from './support/planDebate';
import { expect, test } from './support/test';

/** How fast a person reads, in words a minute. */
const READING = 240;
const SECONDS_A_CLICK = 1.5;

/** The tasks of an arbitrator: what each takes in clicks, which may not grow. */
const counted = test.extend<{ clicks: (most: number, read?: string) => Promise<void> }>({
  clicks: async ({ page }, use, info) => {
    await page.addInitScript(() => {
      sessionStorage.clicks ??= 0;
      addEventListener('pointerdown', () => sessionStorage.clicks++, true);
    });
    await use(async (most, read = '') => {
      const count = Number(await page.evaluate(() => sessionStorage.clicks));
      const seconds = (read.split(/\s+/).length / READING) * 60 + count * SECONDS_A_CLICK;
      process.stdout.write(`${info.title}: ${count} clicks, ${Math.round(seconds)} s\n`);
      expect(count).toBeLessThanOrEqual(most);
    });
  },
});
counted.use({ sendsAtOnce: false });

const unsent = (page: Page) => page.locator('[data-unsent]');
const row = (page: Page, id: string) => page.locator(`[data-decide="${id}"]`);
const text = async (page: Page) => {
  await expect(page.locator('form .prose').first()).toBeVisible();
  return (await page.locator('form').allInnerTexts()).join(' ');
};

/** An appeal with two options, which refers two issues. */
async function appeal(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Retry policy');
  await debate.claim('opponent', 'Two faults, and why they matter.', [
    raise('high', 'No upper bound for the delay'),
    raise('low', 'A name says nothing'),
  ]);
  const refer = (issue: string) => ({ change: 'refer', issue, note: 'It costs a setting.' });
  await debate.appeal('Is a bound needed? It costs a setting.', ['I1', 'I2'].map(refer), [
    'Bound it',
    'Leave it',
  ]);
  return debate;
}

counted(
  'an appeal with options and two issues, from the inbox, where the opponent’s side is read too',
  async ({ page, server, clicks }) => {
    await appeal(server.url);
    await page.goto(server.url);
    await expect(page.getByText('Two faults, and why they matter.')).toBeVisible();
    const read = await text(page);
    await page.getByRole('radio', { name: 'Bound it' }).click();
    await row(page, 'I1').getByText('Uphold').click();
    await row(page, 'I2').getByText('Dismiss').click();
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(unsent(page)).toBeVisible();
    await clicks(4, read);
  },
);

counted('a resolution: close', async ({ page, server, clicks }) => {
  await agreedDebate(server.url);
  await page.goto(server.url);
  const read = await text(page);
  await page.getByRole('button', { name: 'Agreed, close' }).click();
  await expect(unsent(page)).toBeVisible();
  await clicks(1, read);
});

counted(
  'a plan that the opponent has not seen: look at the changes, send back',
  async ({ page, server, clicks }) => {
    const { debate, plan } = await planDebate(server.url);
    await debate.claim('proposer', 'I3 stays.', [{ change: 'fix', issue: 'I3' }]);
    await debate.claim('opponent', 'Yes.', [{ change: 'resolve', issue: 'I3' }]);
    await addVersion(server.url, plan, 'Without the cache', '# No cache\n\nWe ask each time.\n');
    await debate.resolution(`All agreed: doc_id=${plan} v4.`);
    await page.goto(server.url);
    await page.getByText('v3 → v4').click();
    await expect(page.locator('[data-change=added]').first()).toBeVisible();
    const read = await text(page);
    await page.getByRole('textbox', { name: 'Your ruling' }).click();
    await page.keyboard.type('Let the opponent read it.');
    await page.getByRole('button', { name: 'Send back' }).click();
    await expect(unsent(page)).toBeVisible();
    await clicks(3, read);
  },
);

counted('stop with a reason, then rule', async ({ page, server, clicks }) => {
  const debate = await IssueDebate.create(server.url);
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Add a reason' }).click();
  await page.keyboard.type('You argue about the wrong file.');
  await page.getByRole('button', { name: /^Hold to step in/ }).click({ delay: 1150 });
  await page.getByRole('textbox', { name: 'Your ruling' }).click();
  await page.keyboard.type('Look at the other one.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(unsent(page)).toBeVisible();
  await clicks(4);
});

counted('what changed in the plan since the last ruling', async ({ page, server, clicks }) => {
  const { debate } = await planDebate(server.url);
  await debate.appeal('Is the plan good enough?');
  await page.goto(server.url);
  await page.getByText('v2 → v3').click();
  await expect(page.locator('ins').first()).toBeVisible();
  await clicks(1);
});

counted('comment in the plan, option, uphold, dismiss, raise, send', async ({ page, server, clicks }) => {
  const { debate, plan } = await planDebate(server.url);
  await debate.claim('proposer', 'I3 stays.', []);
  await debate.claim('opponent', 'One more.', [raise('low', 'Another')]);
  const refer = (issue: string) => ({ change: 'refer', issue });
  await debate.appeal(`Is doc_id=${plan} v3 good enough?`, ['I3', 'I4'].map(refer), ['It is', 'Not yet']);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: 'Not yet' }).click();
  await row(page, 'I3').getByText('Uphold').click();
  await row(page, 'I4').getByText('Dismiss').click();
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  await page.keyboard.type('No metric');
  await page.getByRole('link', { name: 'Cache the price list v3' }).first().click();
  const panel = page.getByRole('complementary', { name: 'Plan' });
  await panel.locator('[data-lines="3-3"]').click({ clickCount: 3 });
  await panel.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.keyboard.type('Who tells?');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(unsent(page)).toBeVisible();
  await clicks(10);
});

counted('the record and its download', async ({ page, server, clicks }) => {
  const debate = await agreedDebate(server.url);
  await debate.ruling('Agreed.', true);
  await page.goto(debate.url);
  await page.getByRole('link', { name: 'The record' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Markdown' }).click();
  await saved;
  await clicks(2);
});

counted('find a debate by its title', async ({ page, server, clicks }) => {
  const debate = await IssueDebate.create(server.url, 'Retry policy');
  await page.goto(server.url);
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('retry');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(debate.url);
  await clicks(0);
});
