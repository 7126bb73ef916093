import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, picture } from './test';

/** Takes a picture and checks the page with axe. */
export async function expectNoViolations(page: Page, name: string): Promise<void> {
  await picture(page, name);
  // The colours of what was just enabled may still be on their way.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  );
  // Without frames, and without what is found but not violated, it takes a fifth of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`);
  expect(found, name).toEqual([]);
}

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1360, height: 860 };

/** Name, theme, screen size and language: each of them at least once. */
export const APPEARANCES = [
  ['light', 'light', DESKTOP, 'en-US'],
  ['dark', 'dark', DESKTOP, 'en-US'],
  ['phone-dark-vi', 'dark', PHONE, 'vi-VN'],
] as const;
