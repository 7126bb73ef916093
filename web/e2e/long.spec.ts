import { createDebate, post } from './support/rest';
import { expect, picture, test } from './support/test';

// Recording what happens would be measured too.
test.use({ trace: 'off' });

const COUNT = 2000;
const WORDS =
  'Every waiter registers first, then reads, then parks; a wake-up is a hint and the store is the truth. ';

test('a debate of 2,000 arguments: at once, bounded, paged without a jump', async ({ page, server }) => {
  test.setTimeout(180_000);
  const { id, motion } = await createDebate(server.url, 'Two thousand', 'Motion');
  let target = motion;
  for (let seq = 2; seq <= COUNT; seq += 1) {
    const role = seq % 2 === 0 ? 'opponent' : 'proposer';
    const content = `**${seq}.** ${WORDS.repeat(100)}`.slice(0, 1024 + ((seq * 7919) % 9200));
    target = (await post(server.url, `/debates/${id}/arguments`, { role, target_id: target, content }))
      .argument.id;
  }

  const sizes: number[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes(`/debates/${id}`)) return;
    expect(new URL(response.url()).searchParams.has('limit')).toBe(true);
    sizes.push((await response.body().catch(() => Buffer.alloc(0))).length);
  });

  // Once to warm the disk and the browser, once to measure.
  await page.goto(`${server.url}/d/${id}`);
  await expect(page.locator(`[data-seq="${COUNT}"]`)).toBeVisible();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('[data-seq]') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => Object.assign(window, { __painted: performance.now() }));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.locator(`[data-seq="${COUNT}"]`)).toBeVisible();
  const painted = await page.evaluate(() => (window as unknown as { __painted: number }).__painted);
  test.info().annotations.push({ type: 'first card', description: `${Math.round(painted)} ms` });
  expect(painted).toBeLessThan(1000);
  await picture(page, 'long');

  // Scrolling back: what is in view stays where it is while earlier pages join above it.
  const thread = page.getByRole('region', { name: 'Arguments, oldest first' });
  await thread.hover();
  let pages = 0;
  for (let turn = 0; turn < 60 && pages < 3; turn += 1) {
    const before = sizes.length;
    await page.mouse.wheel(0, -1500);
    await page.waitForFunction(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
    );
    pages += sizes.length - before;
    expect(await page.locator('article').count()).toBeLessThan(40);
    expect(await page.locator('article').count()).toBeGreaterThan(0);
  }
  expect(pages).toBeGreaterThanOrEqual(3);

  await page.keyboard.press('m');
  await expect(page.locator('[data-seq="1"].flash')).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.locator(`[data-seq="${COUNT}"]`)).toBeVisible();
  expect(Math.max(...sizes)).toBeLessThan(900_000);
});
