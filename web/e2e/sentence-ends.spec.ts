import { IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { expect, test } from './support/test';

const SENTENCE = 'Nobody sees that an order is stored twice for days.';
const WORDS = 10;
const LINK = '[report](https://example.org/)';
const said = (sentences: number) => Array(sentences).fill(SENTENCE).join(' ');

for (const viewport of [
  { width: 1360, height: 860 },
  { width: 390, height: 844 },
]) {
  test(`what a side said is folded where a sentence ends, and how much is left is told, ${viewport.width} px`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    // The task has a little more than what is shown of a long text.
    const debate = await IssueDebate.create(server.url, 'Stored twice', said(34));
    await debate.claim('opponent', `## Position\n\n${said(7)}\n\n${said(13)}`);
    await debate.claim('proposer', `**${SENTENCE}** ${said(60)}`);
    await debate.claim('opponent', said(60));
    await debate.appeal('Which?');
    /** How many sentences are left. */
    const left = async (text: string | null) => Number(/(\d+) more words/.exec(text ?? '')?.[1]) / WORDS;
    await page.goto(debate.url);
    for (const side of ['proposer', 'opponent']) {
      const folded = page.locator(`[data-side=${side}]`);
      await expect(folded).toContainText('more words');
      const rest = await left(await folded.textContent());
      expect(rest % 1, side).toBe(0);
      expect(rest).toBeGreaterThan(50);
      await folded.getByRole('button', { name: 'Show all' }).click();
      await expect(folded).not.toContainText('more words');
    }
    const task = page.locator('details').filter({ hasText: 'The task, #1' });
    await task.getByText('The task, #1').click();
    await expect(task).toContainText('more words');
    expect((await left(await task.textContent())) % 1).toBe(0);
    await task.getByRole('button', { name: 'Show all of #1' }).click();
    await expect(task.getByRole('button', { name: 'Show less of #1' })).toBeVisible();
    await page.goto(`${debate.url}#3`);
    const button = page
      .locator('[data-seq="3"]')
      .getByRole('button', { name: /^Show all \(\d+ more words\)/ });
    await expect(button).toBeVisible();
    expect((await left(await button.textContent())) % 1).toBe(0);
  });
}

test('what is folded opens where the focus leads to what is cut off, or the browser scrolls to it', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
  // One of the links stands in the last line that is shown, after the sentence with which that ends.
  await debate.claim('opponent', Array(17).fill(`${SENTENCE} ${LINK}`).join(' '));
  await debate.appeal('Which?');
  await page.goto(debate.url);
  const folded = page.locator('[data-side=opponent]');
  const links = folded.getByRole('link', { name: 'report' });
  await expect(links.first()).toBeVisible();
  await expect(folded).toContainText('more words');
  await folded.getByRole('button', { name: 'Show all' }).focus();
  for (let index = 0; (await folded.textContent())?.includes('more words'); index++) {
    await page.keyboard.press('Tab');
    await expect(links.nth(index)).toBeFocused();
    await expect.poll(() => links.nth(index).evaluate(isInView)).toBe(true);
  }
  await page.reload();
  await expect(folded).toContainText('more words');
  // As find-in-page does.
  await links.first().evaluate((link) => link.closest('.overflow-hidden')?.scrollTo(0, 200));
  await expect(folded).not.toContainText('more words');
});

/** Whether its middle is shown, and not cut off. */
function isInView(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}

test('all of a side’s notes on what is asked are shown before what it argued besides', async ({
  page,
  server,
}) => {
  const argued = 'I was on call that night.';
  const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
  await debate.claim('opponent', argued, [{ ...raise('high', 'An order twice'), note: said(15) }]);
  await debate.claim('proposer', argued, [{ change: 'dispute', issue: 'I1', note: SENTENCE }]);
  await debate.claim('opponent', argued);
  await debate.appeal('Which?', [{ change: 'refer', issue: 'I1' }]);
  await page.goto(debate.url);
  const proposer = page.locator('[data-side=proposer]');
  // Its whole case is there: how little it argued besides is said where that is asked for.
  await expect(proposer).toContainText(`I1: ${SENTENCE}`);
  await expect(proposer.getByRole('button', { name: 'Whole argument #3' })).toHaveText('6 more words');
  await proposer.getByRole('button', { name: 'Whole argument #3' }).click();
  await expect(proposer).toContainText(argued);

  const opponent = page.locator('[data-side=opponent]');
  await expect(opponent).toContainText('more words');
  await opponent.getByRole('button', { name: 'Show all of #4' }).click();
  await expect(opponent.getByRole('paragraph').filter({ hasText: SENTENCE })).toHaveText(
    `I1 (#2): ${said(15)}`,
  );
  await expect(opponent).not.toContainText(argued);
  await opponent.getByRole('button', { name: 'Whole argument #4' }).click();
  await expect(opponent).toContainText(argued);
  await opponent.getByRole('button', { name: 'Show less of #4' }).click();
  await expect(opponent).not.toContainText(argued);
});

test('an issue repeats the last words of a side only where that has noted nothing on others', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
  await debate.claim('opponent', 'Two.', [
    { ...raise('high', 'An order twice'), note: SENTENCE },
    { ...raise('high', 'No log'), note: SENTENCE },
  ]);
  const note = 'It is rare.';
  await debate.claim('proposer', said(20), [{ change: 'dispute', issue: 'I1', note }]);
  await debate.claim('opponent', 'And?');
  await debate.appeal('Which?', [
    { change: 'refer', issue: 'I1' },
    { change: 'refer', issue: 'I2' },
  ]);
  await page.goto(debate.url);
  await expect(page.locator('[data-side=opponent]')).toContainText(`I2 (#2): ${SENTENCE}`);
  const words = (id: string) => page.getByRole('list', { name: `What was said last about ${id}` });
  await expect(words('I1').getByRole('listitem')).toHaveText([/^Proposerdisputed #3It is rare\.$/]);
  await expect(words('I2')).toHaveCount(0);
});

test('on a phone each of two issues has its beginning in what a side said of both', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
  await debate.claim('opponent', 'Two.', [
    { ...raise('high', 'An order twice'), note: said(4) },
    { ...raise('high', 'No log'), note: said(4) },
  ]);
  await debate.claim('proposer', 'None.', [
    { change: 'dispute', issue: 'I1', note: said(4) },
    { change: 'dispute', issue: 'I2', note: said(4) },
  ]);
  await debate.claim('opponent', 'And?');
  const refer = ['I1', 'I2'].map((issue) => ({ change: 'refer', issue }));
  await debate.appeal('Which?', refer, ['Both', 'None']);
  await page.goto(debate.url);
  // The numbers are explained before they are used.
  const titles = page.getByRole('list', { name: 'The issues that they are about' });
  await expect(titles.getByRole('listitem')).toHaveText([/An order twice$/, /No log$/]);
  const above = await titles.boundingBox();
  for (const [role, seq] of [
    ['proposer', 3],
    ['opponent', 4],
  ] as const) {
    const side = page.locator(`[data-side=${role}]`);
    expect((await side.boundingBox())?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    const frame = await side.locator('.prose').first().locator('..').boundingBox();
    for (const id of ['I1', 'I2']) {
      const name = await side.getByText(id, { exact: true }).first().boundingBox();
      expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThanOrEqual(
        (frame?.y ?? 0) + (frame?.height ?? 0),
      );
    }
    await side.getByRole('button', { name: `Show all of #${seq}` }).click();
    await expect(side.getByText(said(4))).toHaveCount(1);
    await side.getByRole('button', { name: `Show less of #${seq}` }).click();
    await expect(side.getByText(said(4))).toHaveCount(0);
  }
});

for (const width of [1440, 1024, 390, 320]) {
  test(`what unfolds a side’s words stays in its column, ${width} px`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 844 });
    const { debate, plan } = await planDebate(server.url);
    const cites = `Plan: doc_id=${plan} v3`;
    await debate.claim('proposer', `${cites}\n\nNo.`, [
      { change: 'dispute', issue: 'I3', note: 'It is rare.' },
    ]);
    await debate.claim('opponent', `${cites}\n\nYes.`, [
      { change: 'reopen', issue: 'I3', note: 'It is not.' },
    ]);
    await debate.appeal('Which?', [{ change: 'refer', issue: 'I3' }]);
    await page.goto(debate.url);
    for (const role of ['proposer', 'opponent']) {
      const side = page.locator(`[data-side=${role}]`);
      const column = await side.boundingBox();
      const button = await side.getByRole('button', { name: /Whole argument/ }).boundingBox();
      const end = (box: typeof button) => (box?.x ?? 0) + (box?.width ?? 0);
      expect(end(button)).toBeLessThanOrEqual(end(column) + 1);
      const version = await side.getByRole('link', { name: 'Plan, v3' }).boundingBox();
      expect(end(version)).toBeLessThanOrEqual(button?.x ?? 0);
    }
  });
}
