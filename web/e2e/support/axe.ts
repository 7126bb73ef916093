import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, picture } from './test';

export async function clean(page: Page, name: string): Promise<void> {
  await picture(page, name);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`);
  expect(found, name).toEqual([]);
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1360, height: 860 };

/** How people see the page: each theme, size and language at least once. */
export const LOOKS = [
  ['light', 'light', DESK, 'en-US'],
  ['dark', 'dark', DESK, 'en-US'],
  ['phone-light', 'light', PHONE, 'en-US'],
  ['phone-dark-vi', 'dark', PHONE, 'vi-VN'],
  ['light-vi', 'light', DESK, 'vi-VN'],
] as const;
