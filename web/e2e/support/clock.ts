import { expect, type Page } from '@playwright/test';

const A_MINUTE_MS = 60_000;
const STEP_MS = 50;
const LOOK_MS = 500;
const OPEN_MS = 10_000;

/**
 * Opens a debate with a clock that hardly moves, so that no part is loaded in advance, however slow the machine is, until
 * `page.clock.resume()`.
 */
export async function openWithSlowClock(page: Page, url: string): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + A_MINUTE_MS);
  await page.goto(url);
  await expect(async () => {
    // React shows what was loaded after a pause of its own.
    await page.clock.runFor(STEP_MS);
    await expect(page.locator('[data-connection=live]')).toBeVisible({ timeout: LOOK_MS });
  }).toPass({ timeout: OPEN_MS });
}
