import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { aw } from '../e2e/support/aw';
import { Server } from '../e2e/support/server';

const PLAN = `# Cache the price list

1. Keep the list in memory, reload it every 60 s in the background.
2. A failed reload keeps the old list and is logged.
`;

const CLAIM = `A customer is charged what \`checkout/total.rs:41\` reads from the list. After a change that is
the old price for up to 60 s, and nobody decided that this may be.`;

const APPEAL = `Step 1 is simple, and a price is stale for up to a minute. To have it at once, each server has to
listen for changes. How stale may a price be?`;

for (const scheme of ['light', 'dark'] as const) {
  test(`the page where one rules, ${scheme}`, async ({ browser }) => {
    const server = await Server.start();
    const folder = await mkdtemp(join(tmpdir(), 'aweave-picture-'));
    const plan = join(folder, 'plan.md');
    await writeFile(plan, PLAN);
    const id = randomUUID();
    const debate = (verb: string, ...words: string[]) =>
      aw(server.url, ['debate', verb, '--debate-id', id, ...words]);
    await debate(
      ...([
        'create',
        '--title',
        'Cache the price list',
        '--type',
        'coding_plan_debate',
        '--plan',
        plan,
      ] as const),
    );
    await debate(
      ...(['submit', '--role', 'opponent', '--target-id', '#1', '--content', CLAIM] as const),
      ...['--raise', 'high: A price may be 60 s old when it is charged @ checkout/total.rs:41'],
      ...['--raise', 'low: No test names the 60 s @ plan, step 1'],
    );
    await debate(
      ...(['appeal', '--target-id', '#2', '--content', APPEAL, '--refer', 'I1'] as const),
      ...[
        '--option',
        '60 seconds: a timer, as planned',
        '--option',
        'At once: NOTIFY, and a listener on each server',
        '--effect',
        '0: dismiss I1: a minute is short enough',
        '--effect',
        '1: uphold I1',
      ],
    );
    const context = await browser.newContext({ colorScheme: scheme });
    const page = await context.newPage();
    await page.goto(server.url);
    await page
      .getByRole('listitem')
      .getByRole('link', { name: /Cache the price list/ })
      .first()
      .click();
    await expect(page.getByRole('region', { name: 'What you decide' })).toContainText(
      'How stale may a price be?',
    );
    const path = join(import.meta.dirname, `../../docs/pictures/ruling-${scheme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    await context.close();
    await server.remove();
    await rm(folder, { recursive: true });
  });
}
