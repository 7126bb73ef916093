import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './e2e/support/chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e-artifacts/results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A busy CI machine may stall a browser. A test that passes only on a retry is reported as flaky.
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
    // Traces double the time of every test: use `--trace on` when one is needed.
    trace: 'off',
    launchOptions: await chromiumLaunch(),
  },
});
