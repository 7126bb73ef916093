import { IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { expect, partsLoaded, test } from './support/test';

const ISSUES = 40;
const TEXT = 'The server keeps the keys of a day, and answers a repeated one from them.';

/**
 * In milliseconds. A key takes 16 at most, a frame, on a machine of its own; what is asserted leaves room for one that others use, too. A
 * median far above it is no matter of the machine: before, all cards were rendered with each key, which took 64. The worst is that of
 * one stall of the machine, and says less.
 */
const MEDIAN = 50;
const WORST = 1_000;

// What it measures depends on the machine: it is printed, and told with the test.
test('40 issues: how long a key takes in the ruling and in a note', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Forty issues');
  const all = Array.from({ length: ISSUES }, (_, n) =>
    raise('medium', `Fault ${n + 1} of many`, `a.rs:${n}`),
  );
  await debate.claim('opponent', 'Forty.', all);
  const refer = all.map((_, n) => ({ change: 'refer', issue: `I${n + 1}`, note: 'It costs a day.' }));
  await debate.appeal('Which of them?', refer);
  await page.goto(debate.url);
  await expect(page.locator('[data-decide]')).toHaveCount(ISSUES);
  await page.getByRole('combobox', { name: `Decide all ${ISSUES}…` }).selectOption('Uphold');
  await expect(page.locator('[data-decide]').first().getByRole('textbox')).toBeVisible();

  for (const [what, box] of [
    ['ruling', page.getByRole('textbox', { name: 'Your ruling' })],
    ['note', page.locator('[data-decide="I7"]').getByRole('textbox')],
  ] as const) {
    await box.click();
    await page.evaluate(measureKeys);
    await box.pressSequentially(TEXT);
    await expect(box).toHaveValue(TEXT);
    const { keys, shown } = await page.evaluate(() => {
      const { keys, shown } = window as unknown as Measured;
      return { keys, shown };
    });
    const told = `${what}: until it is rendered: ${figures(keys)}; until it is shown: ${figures(shown)}`;
    process.stdout.write(`${told}\n`);
    test.info().annotations.push({ type: 'typing', description: told });
    expect(medianOf(keys)).toBeLessThan(MEDIAN);
    expect(Math.max(...keys)).toBeLessThan(WORST);
  }
});

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
    // Only those of more than 8 ms are told, so that their median is above that of all.
    expect(medianOf(shown)).toBeLessThan(4 * MEDIAN);
    expect(Math.max(0, ...shown)).toBeLessThan(WORST);
  });
});

interface Measured {
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

/**
 * `keys`: from the key until the next frame is drawn, without the wait for that frame to begin. `shown`: with it, as the
 * browser tells it, in steps of 8 ms.
 */
function measureKeys(): void {
  const keys: number[] = [];
  const shown: number[] = [];
  Object.assign(window, { keys, shown });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown') shown.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
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
