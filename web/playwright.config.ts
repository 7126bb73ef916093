import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './e2e/support/chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e-artifacts/results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine that others use may stall a browser; what passes only the second time is reported as flaky.
  retries: process.env.CI ? 2 : 0,
  reporter: [['list']],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1360, height: 860 },
    locale: 'en-US',
    colorScheme: 'light',
    screenshot: 'only-on-failure',
    // A trace doubles the time of every test: `--trace on` where one is wanted.
    trace: 'off',
    launchOptions: await chromiumLaunch(),
  },
});
