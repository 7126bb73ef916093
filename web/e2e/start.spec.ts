import { expectNoViolations } from './support/accessibility';
import { Agents } from './support/agents';
import { aw } from './support/aw';
import { createDebate, post } from './support/rest';
import { expect, picture, test } from './support/test';

const PLAN = '# Cache the price list\n\nIn memory, for 60 s.\n';
const SIZES = [
  ['wide', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['narrow', { width: 320, height: 640 }],
] as const;

test('a debate is opened from the browser and handed to the agents', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'Start a first debate' })).toBeVisible();
  await page.keyboard.press('a');
  const open = page.getByRole('button', { name: 'Open the debate' });
  await expect(open).toBeDisabled();
  await page
    .getByRole('textbox', { name: 'Task' })
    .fill("Make the price list's reads fast.\nKeep it simple.");
  await page.locator('input[type=file]').setInputFiles({
    name: 'plan.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(PLAN),
  });
  await expect(page.getByRole('textbox', { name: 'Plan' })).toHaveValue(PLAN);
  // What is written stays over a reload.
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Plan' })).toHaveValue(PLAN);
  await expect(page.getByRole('textbox', { name: 'Title, optional' })).toHaveAttribute(
    'placeholder',
    'Cache the price list',
  );
  await open.dblclick();
  await expect(page).toHaveURL(/\/d\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Cache the price list' })).toBeVisible();
  await expect(page.locator('[data-seq="1"]')).toContainText('Keep it simple.');
  await expect(page.getByRole('button', { name: 'Plan, v1' })).toBeVisible();
  const { debates, total } = await fetch(`${server.url}/debates`).then(
    async (answer) => (await answer.json()).data,
  );
  expect(total).toBe(1);
  expect(debates[0]).toMatchObject({
    debate_type: 'coding_plan_debate',
    max_rounds: 3,
    state: 'AWAITING_OPPONENT',
  });

  const id = debates[0].id;
  const start = page.getByRole('region', { name: 'Now the agents' });
  await expect(start.getByRole('button', { name: /^Copy/ })).toHaveCount(3);
  await expect(start.getByRole('button', { name: /^Copy/ }).last()).toBeInViewport({ ratio: 1 });
  await start.getByRole('button', { name: 'Copy: Let one command run it' }).click();
  expect(await copied()).toBe(
    `DEBATE_SERVER_URL=${server.url} aw debate run --debate-id ${id} --task 'Make the price list'\\''s reads fast.\nKeep it simple.'`,
  );
  await start.getByRole('button', { name: 'Copy: Ask an agent to oppose' }).click();
  expect(await copied()).toBe(
    `Oppose in the debate ${id}: run \`DEBATE_SERVER_URL=${server.url} aw debate guide --role opponent\` and do what it prints.`,
  );

  // A side that is there needs nothing more.
  const agents = Object.assign(new Agents(server.url), { debateId: id });
  const { motion } = await aw<{ motion: { id: string } }>(server.url, [
    'debate',
    'get-context',
    '--debate-id',
    id,
  ]);
  agents.last = motion.id;
  await agents.claim('opponent', 'It is stale after a change.');
  await expect(start.getByRole('button')).toHaveCount(1);
  await start.getByRole('button', { name: 'Copy: Ask an agent to propose' }).click();
  expect(await copied()).toContain(`in the debate ${id}`);
  await agents.claim('proposer', 'For 30 s, then.');
  await expect(start).toBeHidden();
  // The form is empty for the next one.
  await page.getByRole('link', { name: 'Start a debate' }).click();
  await expect(page.getByRole('textbox', { name: 'Task' })).toHaveValue('');
});

test.describe('what the server refuses', () => {
  test.use({ allowedErrors: /Failed to load resource/ });

  test('is said, and nothing written is lost', async ({ page, server }) => {
    await page.goto(`${server.url}/?new`);
    const task = page.getByRole('textbox', { name: 'Task' });
    await task.fill('x'.repeat(11_000));
    await page.getByRole('button', { name: 'Open the debate' }).click();
    await expect(page.locator('form [role=alert]')).toContainText('too long');
    await expect(task).toHaveValue('x'.repeat(11_000));
    await task.fill('Short.');
    await expect(page.locator('form [role=alert]')).toBeHidden();
    await page.getByRole('button', { name: 'Open the debate' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Short.' })).toBeVisible();
  });
});

test('on a phone the form leads back to the inbox', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/?new`);
  await page.getByRole('link', { name: 'Back to the inbox' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
});

test('while a ruling is due, no side is told not to wait', async ({ page, server }) => {
  const { id, motion } = await createDebate(server.url, 'Retry policy', 'A motion.');
  const claim = { role: 'opponent', target_id: motion, content: 'A claim.' };
  const { argument } = await post(server.url, `/debates/${id}/arguments`, claim);
  await page.goto(`${server.url}/d/${id}`);
  const sides = page.getByRole('list', { name: 'What both sides are doing' });
  await expect(sides).toContainText('Opponent does not wait');
  await post(server.url, `/debates/${id}/appeal`, { target_id: argument.id, content: 'Which?', options: [] });
  await expect(page.getByRole('link', { name: 'Decide', exact: true })).toBeVisible();
  await expect(sides.getByRole('listitem')).toHaveCount(0);
});

test('sides that are the same program are told apart by their roles', async ({ page, server }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const agents = [{ program: 'claude-code' }];
  const { argument } = await post(server.url, '/debates', {
    debate_id: crypto.randomUUID(),
    title: 'One program',
    debate_type: 'general_debate',
    motion_content: 'A motion.',
    agents,
  });
  const { debate_id: id } = argument as { id: string; debate_id?: string };
  const claim = { role: 'opponent', target_id: argument.id, content: 'A claim.' };
  await post(server.url, `/debates/${id}/arguments`, { ...claim, agents });
  await page.goto(`${server.url}/d/${id}`);
  const sides = page.getByRole('list', { name: 'What both sides are doing' }).getByRole('listitem');
  await expect(sides.nth(0).getByText('Proposer', { exact: true })).toBeVisible();
  await expect(sides.nth(1).getByText('Opponent', { exact: true })).toBeVisible();
  // Below the title they take one line, also of a phone.
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const [first, second] = await sides.evaluateAll((all) =>
      all.map((side) => side.getBoundingClientRect().top),
    );
    expect(second).toBe(first);
  }
  await picture(page, 'header-phone');
});

test('it is shown which program each side is, and what it used', async ({ page, server }) => {
  const agent = {
    program: 'codex',
    model: 'gpt-5.5',
    input_tokens: 12_345,
    output_tokens: 2_000,
    seconds: 125,
  };
  const { argument } = await post(server.url, '/debates', {
    debate_id: crypto.randomUUID(),
    title: 'Figures',
    debate_type: 'general_debate',
    motion_content: 'A motion.',
    agents: [{ ...agent, cost_microusd: 120_000 }],
  });
  const { debate_id: id } = argument as { id: string; debate_id?: string };
  await post(server.url, `/debates/${id}/arguments`, {
    role: 'opponent',
    target_id: argument.id,
    content: 'A claim.',
    agents: [
      { program: 'claude-code', purpose: 'reading', seconds: 30 },
      { program: 'claude-code', model: 'opus' },
    ],
  });
  await page.goto(`${server.url}/d/${id}`);
  await expect(page.locator('[data-seq="1"]').getByRole('list', { name: 'Written by' })).toHaveText(
    'codex gpt-5.5 12.3K tokens read · 2K written · $0.12 · 2 min',
  );
  await expect(page.locator('[data-seq="2"]').getByRole('listitem')).toHaveText([
    'claude-code, final reading 30 sec',
    'claude-code opus ',
  ]);
  const sides = page.getByRole('list', { name: 'What both sides are doing' }).getByRole('listitem');
  await expect(sides.nth(0)).toContainText(/codex turn for .*Proposer has had its turn/);
  await expect(sides.nth(1)).toContainText('claude-code not waiting');
  await page.keyboard.press('i');
  await page.locator('#issues summary').click();
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.locator('[data-agent=proposer]')).toContainText('codex gpt-5.5 ×1');
  await expect(figures.locator('[data-agent=opponent]')).toHaveCount(3);
  await expect(figures.locator('[data-agent=opponent]').last()).toContainText('Opponent, all starts');
  await picture(page, 'agents');
});

for (const [index, [name, viewport]] of SIZES.entries()) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const locale of ['en-US', 'vi-VN']) {
      // Each pair of size, theme and language once.
      if ((index + Number(colorScheme === 'dark') + Number(locale === 'vi-VN')) % 2 === 1) continue;
      test.describe(`${name}-${colorScheme}-${locale}`, () => {
        test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

        test('the form and what comes after it have no violations', async ({ page, server }) => {
          await page.goto(`${server.url}/?new`);
          await page.locator('textarea').first().fill('Make reads fast.');
          await page.locator('textarea').last().fill(PLAN);
          await expectNoViolations(page, `start-${name}-${colorScheme}-${locale}`);
          await page.locator('button[type=submit]').click();
          await expect(page.locator('[data-seq="1"] .prose')).toBeVisible();
          await expect(page.locator('section li code').first()).toBeVisible();
          await expectNoViolations(page, `start-opened-${name}-${colorScheme}-${locale}`);
          const { width } = viewport;
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        });
      });
    }
  }
}
