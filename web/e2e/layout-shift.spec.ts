import type { Page } from '@playwright/test';
import { IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import type { Server } from './support/server';
import { expect, test } from './support/test';

/** What may move in sum while a page is loaded; 0.1 is called good. */
const MOST = 0.02;

interface Shift {
  value: number;
  /** What moved, for the message of a failure. */
  moved: string[];
}

/** In the page: collects what moves without anybody having done something. */
function watchShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`);
      shifts.push({ value: entry.value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** A page with the debate that it is about, and what is there when it is complete. */
async function pages(server: Server): Promise<readonly (readonly [string, string, string])[]> {
  const { debate: asks } = await planDebate(server.url);
  await asks.appealWith(
    'A server may send `retry-after: 3600`.\n\n- Obeying it makes a customer wait.\n- Ignoring it overloads the server.\n\nWhich of them?',
    [{ label: 'Obey it', detail: 'Up to 30 s.' }, { label: 'Ignore it' }],
    [{ change: 'refer', issue: 'I3', note: 'It costs a day.' }],
  );
  const running = await IssueDebate.create(
    server.url,
    'A running debate with a title that needs two lines here',
  );
  await running.claim('opponent', 'Two faults, see `src/orders.rs`.\n\n```rust\nfn a() {}\n```', [
    raise('high', 'The table is locked'),
    raise('low', 'No index is named'),
  ]);
  const closed = await IssueDebate.create(server.url, 'A closed debate');
  await closed.claim('opponent', '# Fine\n\n| a | b |\n|---|---|\n| 1 | 2 |', [
    raise('low', 'A small fault'),
  ]);
  await closed.claim('proposer', 'Mended.', [{ change: 'fix', issue: 'I1', note: 'step 3' }]);
  await closed.claim('opponent', 'Good.', [{ change: 'resolve', issue: 'I1' }]);
  await closed.resolution('We agree.');
  await closed.ruling('Agreed.', true);
  return [
    ['inbox', server.url, '[data-inbox] [data-ruling-buttons]'],
    ['ruling', asks.url, '[data-ruling-buttons]'],
    ['running', running.url, '[data-seq="2"]'],
    ['closed', closed.url, '[data-seq="6"]'],
  ];
}

/** Until texts are parsed and what is beside them has arrived. */
async function expectComplete(page: Page, ready: string): Promise<void> {
  await expect(page.locator(ready).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  });
}

for (const viewport of [
  { width: 1350, height: 940 },
  { width: 412, height: 823 },
]) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    test('nothing moves while a page is loaded', async ({ page, server }) => {
      await page.addInitScript(watchShifts);
      for (const [name, address, ready] of await pages(server)) {
        await page.goto(address);
        await expectComplete(page, ready);
        const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        expect(sum, `${name}: ${JSON.stringify(shifts)}`).toBeLessThan(MOST);
      }
    });
  });
}
