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

test('what both noted on an issue stands with it, and what they argued besides is read on demand', async ({
  page,
  server,
}) => {
  const argued = 'I was on call that night.';
  const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
  await debate.claim('opponent', argued, [{ ...raise('high', 'An order twice'), note: said(15) }]);
  await debate.claim('proposer', argued, [{ change: 'dispute', issue: 'I1', note: 'It is rare.' }]);
  await debate.claim('opponent', argued);
  await debate.appeal('Which?', [{ change: 'refer', issue: 'I1' }]);
  await page.goto(debate.url);
  const issue = page.locator('[data-decide=I1]');
  const words = issue.getByRole('list', { name: 'What was said last about I1' }).getByRole('listitem');
  await expect(words).toHaveText([/^Proposer#3It is rare\.\s*$/, /^Opponent#2Nobody/]);
  // The same room for both.
  const heights = await words.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
  expect(Math.max(...heights)).toBeLessThan(100);
  const all = issue.getByRole('button', { name: /^All that was said \(2\)/ });
  await all.click();
  const whole = () => words.last().evaluate(({ clientHeight }) => clientHeight);
  await expect.poll(whole).toBeGreaterThan(200);
  // A press on the text does the same.
  await words.last().click();
  await expect.poll(whole).toBeLessThan(100);
  await expect(all).toHaveAttribute('aria-expanded', 'false');
  await words.last().click();
  await expect(all).toHaveAttribute('aria-expanded', 'true');
  const region = page.getByRole('region', { name: 'What you decide' });
  await expect(region).not.toContainText(argued);
  await region.getByText('What each side said last').click();
  await expect(region.getByText(argued)).toHaveCount(2);
});

test('where a side noted nothing on an issue, what it argued stands there, and nothing of it twice', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
  await debate.claim('opponent', 'Two.', [
    { ...raise('high', 'An order twice'), note: SENTENCE },
    { ...raise('high', 'No log'), note: SENTENCE },
  ]);
  const note = 'It is rare.';
  await debate.claim('proposer', 'No log is needed.', [{ change: 'dispute', issue: 'I1', note }]);
  await debate.claim('opponent', 'And?');
  await debate.appeal('Which?', [
    { change: 'refer', issue: 'I1' },
    { change: 'refer', issue: 'I2' },
  ]);
  await page.goto(debate.url);
  await expect(page.locator('[data-side=opponent]')).toContainText(`I2 (#2): ${SENTENCE}`);
  await expect(page.locator('[data-side=proposer]')).toContainText(`I1: ${note}`);
  await expect(page.locator('[data-side=proposer]')).toContainText('No log is needed.');
  await expect(page.getByRole('list', { name: /^What was said last about/ })).toHaveCount(0);
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`of each of two issues one sees how both sides begin, before the options, ${viewport.width} px`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    const debate = await IssueDebate.create(server.url, 'Stored twice', said(3));
    await debate.claim('opponent', 'Two.', [
      { ...raise('high', 'An order twice'), note: said(14) },
      { ...raise('high', 'No log'), note: said(14) },
    ]);
    await debate.claim('proposer', 'None.', [
      { change: 'dispute', issue: 'I1', note: said(14) },
      { change: 'dispute', issue: 'I2', note: `${said(13)} [I1] of https://example.org/ is another. I1` },
    ]);
    await debate.claim('opponent', 'And?');
    const refer = ['I1', 'I2'].map((issue) => ({ change: 'refer', issue }));
    await debate.appeal('Which?', refer, ['Both', 'None']);
    await page.goto(debate.url);
    const option = page.locator('label').filter({ hasText: 'Both' });
    await expect(option).toBeInViewport({ ratio: 1 });
    for (const [id, title] of [
      ['I1', 'An order twice'],
      ['I2', 'No log'],
    ] as const) {
      const asked = page.locator(`[data-asked=${id}]`);
      await expect(asked).toContainText(title);
      for (const side of ['proposer', 'opponent'])
        await expect(asked.locator(`[data-side=${side}]`)).toBeInViewport({ ratio: 1 });
      const box = await asked.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((await option.boundingBox())?.y ?? 0);
      const all = asked.getByRole('button', { name: new RegExp(`: ${id}$`) });
      const height = async () => (await asked.boundingBox())?.height ?? 0;
      const folded = await height();
      await all.click();
      await expect.poll(height).toBeGreaterThan(folded + 100);
      await all.click();
      await expect.poll(height).toBe(folded);
    }
    // What is cut is shown where the focus goes there, as where the browser finds a word in it.
    const second = page.locator('[data-asked=I2]');
    await second.locator('[data-side=proposer] a').last().focus();
    await expect(second.getByRole('button', { name: /: I2$/ })).toHaveAttribute('aria-expanded', 'true');
    // The cards below have what is decided alone.
    await expect(page.locator('[data-decide=I1]')).not.toContainText(SENTENCE);
    await expect(page.locator('[data-decide=I1]').getByRole('button', { name: /^All that/ })).toHaveCount(0);
  });
}

for (const width of [1440, 1024, 390, 320]) {
  test(`what unfolds a side’s words stays in its column, ${width} px`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 844 });
    const { debate, plan } = await planDebate(server.url);
    const cites = `Plan: doc_id=${plan} v3`;
    await debate.claim('proposer', `${cites}\n\n${said(30)}`);
    await debate.claim('opponent', `${cites}\n\n${said(30)}`);
    await debate.appeal('Which?', [{ change: 'refer', issue: 'I3' }]);
    await page.goto(debate.url);
    for (const role of ['proposer', 'opponent']) {
      const side = page.locator(`[data-side=${role}]`);
      const column = await side.boundingBox();
      const button = await side.getByRole('button', { name: /^Show all of/ }).boundingBox();
      const end = (box: typeof button) => (box?.x ?? 0) + (box?.width ?? 0);
      expect(end(button)).toBeLessThanOrEqual(end(column) + 1);
      const version = await side.getByRole('link', { name: 'Plan, v3' }).boundingBox();
      expect(end(version)).toBeLessThanOrEqual(button?.x ?? 0);
    }
  });
}
