import { IssueDebate, raise } from './support/issueDebate';
import { expect, test } from './support/test';

const ISSUES = 40;
const TEXT = 'The server keeps the keys of a day, and answers a repeated one from them.';

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
    const times = await page.evaluate(() => (window as unknown as { keys: number[] }).keys);
    const sorted = times.toSorted((a, b) => a - b);
    const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    const told = `${what}: ${sorted.length} keys, median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`;
    process.stdout.write(`${told}\n`);
    test.info().annotations.push({ type: 'typing', description: told });
  }
});

/** From the key until the next frame is drawn, without the wait for that frame to begin. */
function measureKeys(): void {
  const keys: number[] = [];
  Object.assign(window, { keys });
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
