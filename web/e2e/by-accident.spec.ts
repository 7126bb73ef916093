import type { Page } from '@playwright/test';
import { IssueDebate, raise } from './support/issueDebate';
import { expect, test } from './support/test';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
];

/** How far the page is scrolled, which it never is: its parts scroll. */
const scrolled = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, document.body, document.querySelector('main')].map((e) => e?.scrollTop),
  );

for (const viewport of SIZES) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    test('a decision on an issue, by mouse and by Tab, does not scroll the page away', async ({
      page,
      server,
    }) => {
      const debate = await IssueDebate.create(server.url);
      const titles = Array.from({ length: 30 }, (_, index) => `Fault ${index + 1} of the plan`);
      await debate.claim(
        'opponent',
        'Many.',
        titles.map((title) => raise('medium', title)),
      );
      await debate.appeal(
        'Which of them matter?',
        titles.map((_, index) => ({ change: 'refer', issue: `I${index + 1}` })),
      );
      for (const address of [debate.url, server.url]) {
        await page.goto(address);
        for (const id of ['I1', 'I15', 'I30']) {
          const row = page.locator(`[data-decide="${id}"]`);
          for (const choice of ['Uphold', 'Dismiss']) {
            await row.getByText(choice).click();
            await expect(row.getByRole('radio', { name: choice })).toBeChecked();
            expect(await scrolled(page)).toEqual([0, 0, 0]);
          }
        }
        for (let press = 0; press < 40; press++) {
          await page.keyboard.press('Tab');
          expect(await scrolled(page)).toEqual([0, 0, 0]);
        }
      }
    });
  });
}

for (const pause of [0, 180, 350]) {
  test(`a second click after ${pause} ms does not close the debate that took the place of the first`, async ({
    page,
    server,
  }) => {
    const debates: IssueDebate[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      const debate = await IssueDebate.create(server.url, title);
      await debate.claim('opponent', 'Fine.');
      await debate.resolution('Everything is agreed.');
      debates.push(debate);
    }
    await page.goto(server.url);
    const button = page.getByRole('button', { name: 'Agreed, close' });
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(pause);
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect(page.locator('[data-card]')).toHaveCount(2);
    await page.waitForTimeout(800);
    // What was clicked too soon works now.
    await expect(page.locator('[data-card]')).toHaveCount(2);
    await button.click();
    await expect(page.locator('[data-card]')).toHaveCount(1);
  });
}
