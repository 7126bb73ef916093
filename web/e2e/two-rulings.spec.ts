import type { Locator, Page } from '@playwright/test';
import { IssueDebate } from './support/issueDebate';
import { expect, picture, SERVER_UNREACHABLE, test } from './support/test';

test.use({ sendsAtOnce: false });

async function asking(server: string, title: string): Promise<void> {
  const debate = await IssueDebate.create(server, title);
  await debate.claim('opponent', 'No.');
  await debate.appeal('Which of both?', [], ['Left', 'Right']);
}

test('of many rulings two are shown, and the others on demand, which moves nothing under the pointer', async ({
  page,
  server,
}) => {
  const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
  for (const title of titles) await asking(server.url, title);
  await page.addInitScript(waitLonger);
  await page.goto(server.url);
  const bars = page.locator('[data-unsent]');
  await ruleOn(page, titles);
  await expect(bars).toHaveText([/Four/, /Five/]);
  const line = page.getByRole('button', { name: '3 more wait to be sent' });
  await expect(line).toHaveAttribute('aria-expanded', 'false');
  await picture(page, 'many-rulings');
  const place = await placeOf(line);
  await line.click();
  await expect(bars).toHaveText([/One/, /Two/, /Three/, /Four/, /Five/]);
  expect(await placeOf(line)).toEqual(place);
  await picture(page, 'many-rulings-open');
  await bars.filter({ hasText: 'Two' }).getByRole('button', { name: 'Undo' }).click();
  await expect(bars).toHaveText([/One/, /Three/, /Four/, /Five/]);
  await expect(page.locator('[data-card][data-active=true]')).toContainText('Two');
  await page.getByRole('button', { name: '2 more wait to be sent' }).click();
  await expect(bars).toHaveText([/Four/, /Five/]);
  // The newest is taken back by its key, and the one before it is shown again.
  await page.locator('[data-inbox] h1').click();
  await page.keyboard.press('z');
  await expect(bars).toHaveText([/Three/, /Four/]);
});

/** In the page: none is sent meanwhile, however slow the machine is, since ten seconds become five minutes. */
function waitLonger(): void {
  const { setTimeout } = window;
  Object.assign(window, {
    setTimeout: (run: () => void, ms = 0) => setTimeout(run, ms > 5_000 ? 30 * ms : ms),
  });
}

/** Rules on the cards of these debates, one after the other. */
async function ruleOn(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await expect(page.locator('[data-card][data-active=true]')).toContainText(title);
    await page.getByRole('textbox', { name: 'Your ruling' }).fill('To the left.');
    await page.keyboard.press('Control+Enter');
  }
}

test('a bar that comes from the others takes no focus', async ({ page, server }) => {
  const titles = ['One', 'Two', 'Three', 'Four'];
  for (const title of titles) await asking(server.url, title);
  await page.addInitScript(waitLonger);
  await page.goto(server.url);
  await ruleOn(page, titles);
  const undo = page.locator('[data-unsent]').getByRole('button', { name: 'Undo' });
  await expect(undo.last()).toBeFocused();
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
    const focused: (string | null)[] = [];
    document.addEventListener('focusin', ({ target }) => focused.push((target as Element).textContent));
    Object.assign(window, { focused });
  });
  const focused = () => page.evaluate(() => (window as unknown as { focused: string[] }).focused);
  // As in Safari, where a button that is pressed gets no focus.
  await page.getByRole('button', { name: /^2 more/ }).evaluate((line: HTMLElement) => line.click());
  await expect(undo).toHaveCount(4);
  await page.waitForTimeout(100);
  expect(await focused()).toEqual([]);
  await page.getByRole('button', { name: /^2 more/ }).evaluate((line: HTMLElement) => line.click());
  await expect(undo).toHaveCount(2);
  await page.keyboard.press('z');
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeFocused();
  expect(await focused()).not.toContain('Undo');
});

test.describe('without the server', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  test('of three rulings the one that waits for it is shown, with what cancels it', async ({
    page,
    server,
  }) => {
    const titles = ['One', 'Two', 'Three'];
    for (const title of titles) await asking(server.url, title);
    await page.goto(server.url);
    await ruleOn(page, titles);
    await server.stop();
    const bars = page.locator('[data-unsent]');
    await expect(bars.filter({ hasText: 'Waiting for the connection' })).toContainText('One', {
      timeout: 20_000,
    });
    await expect(bars).toHaveText([/One/, /Two/, /Three/]);
    for (const title of ['Two', 'Three']) {
      await expect(bars.filter({ hasText: title })).toContainText('Waits to be sent');
    }
    await expect(bars.filter({ hasText: /Sent in|reload/ })).toHaveCount(0);
    await picture(page, 'many-rulings-outage');
    await bars.getByRole('button', { name: 'Cancel sending' }).click();
    await expect(page.locator('[data-card]')).toContainText('One');
    await expect(bars.filter({ hasText: 'Waiting for the connection' })).toContainText('Two');
    await expect(bars).toHaveText([/Two/, /Three/]);
  });
});

async function placeOf(locator: Locator) {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2, height };
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    for (const name of ['Undo', 'Send now']) {
      test(`“${name}” of the ruling before takes no click of a pointer under which it moved`, async ({
        page,
        server,
      }) => {
        for (const title of ['One', 'Two', 'Three']) await asking(server.url, title);
        await page.addInitScript(waitLonger);
        await page.goto(server.url);
        const bars = page.locator('[data-unsent]');
        const box = page.getByRole('textbox', { name: 'Your ruling' });
        await box.fill('To the left.');
        await page.getByRole('button', { name: 'Rule and continue' }).click();
        await expect(bars).toContainText('One');
        // Its own time is over; that which the next one begins is slow enough for what comes: 1.2 s become 12 s.
        await bars.evaluate((bar) => Promise.all(bar.getAnimations().map(({ finished }) => finished)));
        const session = await page.context().newCDPSession(page);
        await session.send('Animation.enable');
        await session.send('Animation.setPlaybackRate', { playbackRate: 0.1 });
        const { x, y } = await placeOf(bars.getByRole('button', { name }));
        const { height } = await placeOf(bars);
        // Where it will be once the next bar is below it.
        const above = y - height - 4;
        await page.mouse.move(x, above);
        await expect(page.locator('[data-card][data-active=true]')).toContainText('Two');
        await box.fill('To the left.');
        await page.keyboard.press('Control+Enter');
        await expect(bars).toHaveCount(2);
        await page.mouse.click(x, above);
        await expect(bars.getByRole('button', { name: 'Undo' })).toHaveCount(2);
        await expect(bars).toHaveText([/One/, /Two/]);
        // It works later.
        await session.send('Animation.setPlaybackRate', { playbackRate: 100 });
        await bars.first().getByRole('button', { name }).click();
        await expect(bars).toHaveText([/Two/]);
      });
    }
  });
}
