import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './e2e/support/chromium';

/** Makes the pictures of the documentation: `make pictures`. */
export default defineConfig({
  testDir: 'pictures',
  outputDir: 'e2e-artifacts/pictures',
  reporter: [['list']],
  timeout: 120_000,
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1200, height: 720 },
    locale: 'en-US',
    launchOptions: await chromiumLaunch(),
  },
});
