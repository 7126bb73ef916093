import type { Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { Agents } from './support/agents';
import type { Server } from './support/server';
import { expect, SERVER_UNREACHABLE, test } from './support/test';

test.use({ allowedErrors: SERVER_UNREACHABLE });

const warning = (page: Page) => page.getByRole('alert').filter({ hasText: /history|Lịch sử/ });

async function expectLive(page: Page): Promise<void> {
  await expect(page.locator('[data-connection=live]')).toBeAttached({ timeout: 20_000 });
}

/** Creates a debate of which the page has seen three arguments, and copies its database after the second. */
async function seeThreeArguments(page: Page, server: Server): Promise<{ agents: Agents; before: Buffer }> {
  const agents = await new Agents(server.url).create('History check', 'Motion');
  await agents.claim('opponent', 'No.');
  await server.stop();
  const before = await server.readDatabase();
  await server.startAgain();
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await expectLive(page);
  const two = agents.last;
  await agents.claim('proposer', 'Yes.');
  await expect(page.locator('[data-seq="3"]')).toContainText('Yes.');
  // The check of a live argument is done once the argument is remembered.
  await expect.poll(() => remembered(page, agents.debateId)).toBe(3);
  agents.last = two;
  return { agents, before };
}

async function remembered(page: Page, debateId: string): Promise<number> {
  const stored = await page.evaluate((id) => localStorage.getItem(`aweave.head.${id}`), debateId);
  return Number.parseInt(stored ?? '0', 10);
}

async function restore(server: Server, database: Buffer): Promise<void> {
  await server.stop();
  await server.restoreDatabase(database);
  await server.startAgain();
}

test('a history that was truncated and rewritten while the page was open causes a warning until it is accepted', async ({
  page,
  server,
}) => {
  const { agents, before } = await seeThreeArguments(page, server);
  await expect(warning(page)).toHaveCount(0);
  await restore(server, before);
  await expect(warning(page)).toContainText('saw argument #3, but the history now ends with #2', {
    timeout: 20_000,
  });
  await expect(warning(page)).toContainText('aweave-server verify');

  await agents.claim('proposer', 'I never said so.');
  await agents.claim('opponent', 'Nor did I.');
  await page.reload();
  await expectLive(page);
  await expect(warning(page)).toContainText('#3, or one before it, was changed');

  await page.getByRole('button', { name: 'Accept this history' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(warning(page)).toBeVisible();
  await page.getByRole('button', { name: 'Accept this history' }).click();
  await dialog.getByRole('button', { name: 'Accept this history' }).click();
  await expect(warning(page)).toHaveCount(0);
  await expectLive(page);
  await agents.claim('proposer', 'Let us go on.');
  await expect(page.locator('[data-seq="5"]')).toContainText('Let us go on.');
  await expect.poll(() => remembered(page, agents.debateId)).toBe(5);
  await page.reload();
  await expectLive(page);
  await expect(page.locator('[data-seq="5"]')).toBeAttached();
  await expect(warning(page)).toHaveCount(0);
});

test('a history that was rewritten while the page was closed causes a warning, and is accepted for all tabs', async ({
  context,
  page,
  server,
}) => {
  const { agents, before } = await seeThreeArguments(page, server);
  await page.goto(server.url);
  await restore(server, before);
  for (let n = 0; n < 20; n++) await agents.claim(n % 2 === 0 ? 'proposer' : 'opponent', `Anew ${n}`);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${server.url}/d/${agents.debateId}`);
    await expect(warning(tab)).toContainText('#3');
  }
  await page.getByRole('button', { name: 'Accept this history' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept this history' }).click();
  for (const tab of [page, other]) await expect(warning(tab)).toHaveCount(0);
});

test('a restart of the server and arguments added meanwhile cause no warning', async ({ page, server }) => {
  const { agents } = await seeThreeArguments(page, server);
  agents.last = (await agents.arguments()).at(-1)?.id ?? '';
  await page.goto(server.url);
  await server.stop();
  await server.startAgain();
  for (let n = 0; n < 40; n++) await agents.claim(n % 2 === 0 ? 'opponent' : 'proposer', `Later ${n}`);
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await expectLive(page);
  await expect.poll(() => remembered(page, agents.debateId)).toBe(43);
  await expect(warning(page)).toHaveCount(0);
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds no violations in the warning', async ({ page, server }) => {
      const { before } = await seeThreeArguments(page, server);
      await restore(server, before);
      await expect(warning(page)).toBeVisible({ timeout: 20_000 });
      await expectLive(page);
      await expectNoViolations(page, `${name}-history-warning`);
      await warning(page).getByRole('button').click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await expectNoViolations(page, `${name}-history-accept`);
    });
  });
}
