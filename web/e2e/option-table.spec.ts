import type { Locator, Page } from '@playwright/test';
import { IssueDebate, raise } from './support/issueDebate';
import { post } from './support/rest';
import { expect, test } from './support/test';

const KINDS = ['uphold', 'dismiss', 'regrade'] as const;
const TITLE = 'The lock is held while the answer of the other server is waited for';

interface Made {
  options: number;
  issues: number;
  note?: string;
}

/** An appeal with so many options, each of which makes something else of every issue. */
async function manyOptions(server: string, { options, issues, note }: Made): Promise<IssueDebate> {
  const { document } = await post<{ document: { id: string } }>(server, '/documents', {
    summary: 'Search',
    content: '# Search\n\nOne index.\n',
  });
  const debate = await IssueDebate.create(server, 'Search', `The plan is doc_id=${document.id} v1.`);
  await debate.claim(
    'opponent',
    'These.',
    Array.from({ length: issues }, () => raise('medium', TITLE)),
  );
  const ids = Array.from({ length: issues }, (_, index) => `I${index + 1}`);
  const decides = (option: number) =>
    ids.map((issue, index) => {
      const change = KINDS[(option + index) % KINDS.length] ?? '';
      return { change, issue, ...(change === 'regrade' && { severity: 'critical' }), ...(note && { note }) };
    });
  await debate.appealWith(
    'What is fixed first?',
    Array.from({ length: options }, (_, option) => ({
      label: `Way ${option + 1}`,
      issue_changes: decides(option),
    })),
    ids.map((issue) => ({ change: 'refer', issue })),
  );
  return debate;
}

/** The text of cells that does not stand within them. */
const overflowing = (table: Locator) =>
  table.locator('td, th').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const box = cell.getBoundingClientRect();
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement?.closest('.sr-only, .truncate')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const out = [...range.getClientRects()].some(
          ({ left, right }) => left < box.left - 1 || right > box.right + 1,
        );
        if (out) found.push(`${node.textContent}`);
      }
      return found;
    }),
  );

/** How much room the title of the first issue has, in rem. */
const roomOfTitle = (table: Locator) =>
  table
    .locator('tbody th [title]')
    .last()
    .evaluate((title) => title.getBoundingClientRect().width / 16);

const tableOf = (page: Page) => page.getByRole('table', { name: 'What each option decides' });

for (const [width, options, withPlan] of [
  [768, 3, false],
  [768, 6, false],
  [1280, 3, true],
  [1440, 3, true],
  [1440, 2, false],
] as const) {
  const beside = withPlan ? ', beside the plan' : '';
  test(`an issue has room for its title beside ${options} options, or stands above, ${width} px${beside}`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const debate = await manyOptions(server.url, { options, issues: 4 });
    await page.goto(debate.url);
    const table = tableOf(page);
    await expect(table.locator('tbody')).toHaveCount(4);
    if (withPlan) {
      await page.keyboard.press('p');
      await expect(page.getByRole('complementary', { name: 'Plan' })).toContainText('One index.');
    }
    await expect.poll(() => roomOfTitle(table)).toBeGreaterThan(11.5);
    expect(await overflowing(table)).toEqual([]);
    if (options === 2) await expect(table.getByRole('columnheader')).toHaveCount(3);
  });
}

for (const width of [390, 320]) {
  test(`no word of six options stands beyond its column, ${width} px`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 844 });
    const debate = await manyOptions(server.url, { options: 6, issues: 4 });
    await page.goto(debate.url);
    await page.getByRole('radio', { name: /Way 1/ }).check();
    expect(await overflowing(tableOf(page))).toEqual([]);

    const first = await IssueDebate.create(server.url, 'Older');
    await first.claim('opponent', 'Fine.');
    await first.appeal('Is it?');
    await page.goto(server.url);
    const card = page.locator(`[data-card="${debate.id}"]`);
    await expect(tableOf(page)).toHaveCount(1);
    await expect(card.getByRole('table')).toBeVisible();
    expect(await overflowing(tableOf(page))).toEqual([]);
  });
}

test('long notes of options are cut until they are asked for', async ({ page, server }) => {
  const note = `because ${'of the load '.repeat(80)}it was measured.`;
  const seven = await manyOptions(server.url, { options: 7, issues: 10, note });
  await page.goto(seven.url);
  const decides = page.locator('[data-decides]');
  await expect(decides).toHaveCount(7);
  await expect(decides.first()).toContainText(/I10 (\(\w+\) )?upheld/);
  await expect(decides.first()).not.toContainText('it was measured');
  await page.getByRole('button', { name: 'Show full options' }).click();
  await expect(decides.first()).toContainText('it was measured');
  await page.getByRole('button', { name: 'Show less' }).click();
  await expect(decides.first()).not.toContainText('it was measured');

  const three = await manyOptions(server.url, { options: 3, issues: 4, note });
  await page.goto(three.url);
  const notes = tableOf(page).locator('p');
  const lines = () => notes.first().evaluate((each) => each.clientHeight / 16);
  await expect.poll(lines).toBeLessThanOrEqual(2);
  await page.getByRole('button', { name: 'Show full options' }).click();
  await expect.poll(lines).toBeGreaterThan(3);

  await page.goto(server.url);
  const folded = page.locator(
    '[data-card][data-active=false] [data-decides], [data-card][data-active=false] td p',
  );
  await expect(folded).not.toHaveCount(0);
  for (const height of await folded.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight / 16))) {
    expect(height).toBeLessThanOrEqual(4);
  }
});
