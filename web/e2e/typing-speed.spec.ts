import type { Locator, Page } from '@playwright/test';
import { IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import type { Server } from './support/server';
import { expect, partsLoaded, test } from './support/test';

const ISSUES = 40;
const TEXT = 'The server keeps the keys of a day, and answers a repeated one from them.';

/** How many times more components a key may render with forty issues than with two. Were all cards rendered, it would be about ten. */
const MOST_TIMES = 2;
/** In milliseconds: what a person would take for a fault on the slowest of machines. How long it is depends on the machine. */
const WORST = 1_000;

test('a key in the ruling and in a note renders as much with 40 issues as with 2', async ({
  page,
  server,
}) => {
  await page.addInitScript(countRenders);
  const few = await keysWith(page, server, 2);
  const many = await keysWith(page, server, ISSUES);
  for (const what of ['ruling', 'note'] as const) {
    const [of2, of40] = [few[what], many[what]];
    const told = `${what}, 2 issues: ${of2.renders} renders, ${figures(of2.keys)}; ${ISSUES} issues: ${of40.renders} renders, ${figures(of40.keys)}`;
    process.stdout.write(`${told}\n`);
    test.info().annotations.push({ type: 'typing', description: told });
    expect(of2.renders).toBeGreaterThan(0);
    expect(of40.renders).toBeLessThan(MOST_TIMES * of2.renders);
    expect(medianOf(of40.keys)).toBeLessThan(WORST);
  }
});

/** What a text costs that is typed where so many issues are referred. */
async function keysWith(page: Page, server: Server, issues: number) {
  const debate = await IssueDebate.create(server.url, `${issues} issues`);
  const all = Array.from({ length: issues }, (_, n) =>
    raise('medium', `Fault ${n + 1} of many`, `a.rs:${n}`),
  );
  await debate.claim('opponent', 'These.', all);
  const refer = all.map((_, n) => ({ change: 'refer', issue: `I${n + 1}`, note: 'It costs a day.' }));
  await debate.appeal('Which of them?', refer);
  await page.goto(debate.url);
  await expect(page.locator('[data-decide]')).toHaveCount(issues);
  await page.getByRole('combobox', { name: `Decide all ${issues}…` }).selectOption('Uphold');
  await partsLoaded(page);
  const ruling = await keysIn(page, page.getByRole('textbox', { name: 'Your ruling' }));
  await page.locator('[data-decide="I2"]').getByRole('button', { name: 'Add a note' }).click();
  return { ruling, note: await keysIn(page, page.locator('[data-decide="I2"]').getByRole('textbox')) };
}

async function keysIn(page: Page, box: Locator): Promise<Measured> {
  await box.click();
  await page.evaluate(measureKeys);
  await box.pressSequentially(TEXT);
  await expect(box).toHaveValue(TEXT);
  return page.evaluate(() => {
    const { renders, keys, shown } = window as unknown as Measured;
    return { renders, keys, shown };
  });
}

test.describe('clicks', () => {
  test.use({ sendsAtOnce: false });

  test('40 issues and a plan: how long a click takes until it is shown', async ({ page, server }) => {
    const { debate } = await planDebate(server.url);
    const all = Array.from({ length: ISSUES }, (_, n) => raise('medium', `Fault ${n + 1} of many`));
    await debate.claim('proposer', 'Once more.');
    await debate.claim('opponent', 'Forty.', all);
    await debate.appeal(
      'Which of them?',
      all.map((_, n) => ({ change: 'refer', issue: `I${n + 4}` })),
      ['All', 'None'],
    );
    await page.goto(debate.url);
    await expect(page.locator('[data-decide]')).toHaveCount(ISSUES);
    await partsLoaded(page);
    await page.evaluate(() => {
      const shown: number[] = [];
      Object.assign(window, { shown });
      new PerformanceObserver((list) => {
        for (const { name, duration } of list.getEntries()) if (name === 'click') shown.push(duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    for (const control of [
      page.locator('[data-decide="I4"]').getByText('Uphold'),
      page.locator('[data-decide="I5"]').getByText('Dismiss'),
      page.getByText('None', { exact: true }),
      page.getByRole('button', { name: /^Issues/ }),
      page.getByRole('button', { name: 'Close the issues' }),
      page.getByRole('button', { name: /^Plan, v/ }),
      page.getByRole('button', { name: 'Close the plan' }),
      page.getByRole('button', { name: 'Rule and continue' }),
      page.getByRole('button', { name: 'Leave and send' }),
      page.getByRole('button', { name: 'Undo' }),
    ]) {
      await control.click();
    }
    await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeFocused();
    const shown = await page.evaluate(() => (window as unknown as Measured).shown);
    const told = `clicks of more than 8 ms: ${figures(shown)}`;
    process.stdout.write(`${told}\n`);
    test.info().annotations.push({ type: 'clicks', description: told });
    expect(Math.max(0, ...shown)).toBeLessThan(WORST);
  });
});

interface Measured {
  renders: number;
  keys: number[];
  shown: number[];
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function figures(times: readonly number[]): string {
  const worst = Math.max(0, ...times);
  return `${times.length}, median ${medianOf(times).toFixed(1)} ms, worst ${worst.toFixed(1)} ms`;
}

/** From each key until what it changes is rendered and laid out. */
function measureKeys(): void {
  const keys: number[] = [];
  Object.assign(window, { keys, renders: 0 });
  addEventListener(
    'beforeinput',
    () => {
      const start = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => keys.push(performance.now() - start);
      // React renders before the next task, layout is asked for here.
      queueMicrotask(() => {
        document.body.getBoundingClientRect();
        channel.port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

/** Counts what React renders, as its developer tools do: it tells them of each commit, in production, too. */
function countRenders(): void {
  interface Fiber {
    flags: number;
    type: unknown;
    child: Fiber | null;
    sibling: Fiber | null;
    alternate: Fiber | null;
  }
  const PERFORMED_WORK = 1;
  const measured = window as unknown as { renders: number };
  measured.renders = 0;
  function count(fiber: Fiber): void {
    const isComponent = fiber.type !== null && typeof fiber.type !== 'string';
    if (isComponent && fiber.flags & PERFORMED_WORK) measured.renders += 1;
    // What has the same child as before was not rendered below it.
    if (fiber.child === fiber.alternate?.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) count(child);
  }
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      checkDCE() {},
      inject: () => 1,
      onCommitFiberUnmount() {},
      onCommitFiberRoot: (_: number, root: { current: Fiber }) => count(root.current),
    },
  });
}
