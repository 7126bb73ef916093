import type { Page } from '@playwright/test';

const A_MINUTE_MS = 60_000;

/** The clock of the page stands from its first moment, so that no part is loaded in advance until `page.clock.resume()`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + A_MINUTE_MS);
}
