import type { Locator } from '@playwright/test';
import { IssueDebate } from './support/issueDebate';
import { expect, test } from './support/test';

test.use({ sendsAtOnce: false });

async function asking(server: string, title: string): Promise<void> {
  const debate = await IssueDebate.create(server, title);
  await debate.claim('opponent', 'No.');
  await debate.appeal('Which of both?', [], ['Left', 'Right']);
}

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
