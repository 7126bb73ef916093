import { createDebate, post } from './support/rest';
import { expect, picture, test } from './support/test';

const LINES = 14_000;
const CHANGED = 37;

/** A plan of about 900 KB: sections, lists, code and tables. */
function planText(changed: (line: number) => boolean): string {
  return Array.from({ length: LINES }, (_, n) => {
    const mark = changed(n) ? 'another way' : 'one way';
    if (n % 50 === 0) return `\n## Section ${n / 50}, done in ${mark}\n`;
    return `- Step ${n} is done in ${mark}, and \`module_${n % 97}\` says why and how.`;
  }).join('\n');
}

// What it measures depends on the machine: it is printed, and told with the test.
test('a plan of 900 KB: its first line, and the 37 lines of it that changed', async ({ page, server }) => {
  const before = planText(() => false);
  const after = planText((n) => n % 371 === 7 && n / 371 < CHANGED);
  const { document } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'A long plan',
    content: before,
  });
  const { id, motion } = await createDebate(server.url, 'A long plan', `See doc_id=${document.id} v1.`);
  await post(server.url, `/debates/${id}/arguments`, { role: 'opponent', target_id: motion, content: 'No.' });
  await post(server.url, `/documents/${document.id}/versions`, { summary: '37 lines', content: after });
  const context = await (await fetch(`${server.url}/debates/${id}`)).json();
  const target = context.data.arguments.at(-1).id;
  const content = `Now doc_id=${document.id} v2.`;
  await post(server.url, `/debates/${id}/arguments`, { role: 'proposer', target_id: target, content });

  const measured: string[] = [];
  const timed = async (what: string, run: () => Promise<unknown>) => {
    const start = Date.now();
    await run();
    measured.push(`${what}: ${Date.now() - start} ms`);
  };
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await page.goto(`${server.url}/d/${id}?plan=${document.id}&v=2&view=text`);
  await timed('first line of the text', () =>
    expect(plan.locator('[data-lines]').first()).toBeVisible({ timeout: 30_000 }),
  );
  await timed('changes', async () => {
    await page.goto(`${server.url}/d/${id}?plan=${document.id}&v=2&view=changes&from=1`);
    await expect(plan.locator('.added').first()).toBeVisible({ timeout: 30_000 });
  });
  await expect(plan.getByText(/^37 lines added$/)).toBeVisible();
  await expect(plan.getByText(/^37 lines removed$/)).toBeVisible();
  await expect(plan.locator('tr:has(.added)')).toHaveCount(CHANGED);
  await picture(page, 'large-plan-changes');
  // From one to the next, and from the first to the last.
  await expect(plan.getByText('37 places changed')).toBeVisible();
  const parts = plan.locator('[data-changed-part]');
  await expect(parts.nth(12)).not.toBeInViewport();
  const steps = async (name: string, times: number) => {
    for (let step = 0; step < times; step += 1) await plan.getByRole('button', { name }).press('Enter');
  };
  await steps('Next change', 13);
  await expect(parts.nth(12)).toBeInViewport();
  await expect(parts.first()).not.toBeInViewport();
  await steps('Previous change', 12);
  await expect(parts.first()).toBeInViewport();
  await expect(parts.last()).not.toBeInViewport();
  await steps('Previous change', 1);
  await expect(parts.last()).toBeInViewport();
  await timed('raw', async () => {
    await page.goto(`${server.url}/d/${id}?plan=${document.id}&v=2&view=text&form=raw`);
    await expect(plan.locator('.raw-text p').first()).toBeVisible({ timeout: 30_000 });
  });
  for (const told of measured) {
    process.stdout.write(`${told}\n`);
    test.info().annotations.push({ type: 'large plan', description: told });
  }
});
