import type { Page } from '@playwright/test';
import { Agents } from './support/agents';
import { clean, LOOKS } from './support/axe';
import type { Server } from './support/server';
import { expect, SERVER_AWAY, test } from './support/test';

test.use({ expected: SERVER_AWAY });

const warning = (page: Page) => page.getByRole('alert').filter({ hasText: /history|Lịch sử/ });

async function live(page: Page): Promise<void> {
  await expect(page.locator('[data-connection=live]')).toBeAttached({ timeout: 20_000 });
}

/** A debate that the page has seen three arguments of, and the database as it was after two. */
async function seen(page: Page, server: Server): Promise<{ agents: Agents; before: Buffer }> {
  const agents = await new Agents(server.url).create('Witness', 'Motion');
  await agents.claim('opponent', 'No.');
  await server.down();
  const before = await server.database();
  await server.up();
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await live(page);
  const two = agents.last;
  await agents.claim('proposer', 'Yes.');
  await expect(page.locator('[data-seq="3"]')).toContainText('Yes.');
  // What arrives live has been looked into when it is what is remembered.
  await expect.poll(() => remembered(page, agents.debateId)).toBe(3);
  agents.last = two;
  return { agents, before };
}

async function remembered(page: Page, debateId: string): Promise<number> {
  const stored = await page.evaluate((id) => localStorage.getItem(`aweave.head.${id}`), debateId);
  return Number.parseInt(stored ?? '0', 10);
}

async function putBack(server: Server, database: Buffer): Promise<void> {
  await server.down();
  await server.putBack(database);
  await server.up();
}

test('a history that was cut off while the page was open, and written anew, is warned of until it is accepted', async ({
  page,
  server,
}) => {
  const { agents, before } = await seen(page, server);
  await expect(warning(page)).toHaveCount(0);
  await putBack(server, before);
  await expect(warning(page)).toContainText('#3 was seen, but the history ends with #2', { timeout: 20_000 });
  await expect(warning(page)).toContainText('aweave-server verify');

  await agents.claim('proposer', 'I never said so.');
  await agents.claim('opponent', 'Nor did I.');
  await page.reload();
  await live(page);
  await expect(warning(page)).toContainText('#3, or one before it, is not what it was');

  await page.getByRole('button', { name: 'Accept this history' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(warning(page)).toBeVisible();
  await page.getByRole('button', { name: 'Accept this history' }).click();
  await dialog.getByRole('button', { name: 'Accept this history' }).click();
  await expect(warning(page)).toHaveCount(0);
  await live(page);
  await agents.claim('proposer', 'Let us go on.');
  await expect(page.locator('[data-seq="5"]')).toContainText('Let us go on.');
  await expect.poll(() => remembered(page, agents.debateId)).toBe(5);
  await page.reload();
  await live(page);
  await expect(page.locator('[data-seq="5"]')).toBeAttached();
  await expect(warning(page)).toHaveCount(0);
});

test('a history that was written anew while nobody looked is noticed by the next tab, and accepted in all', async ({
  context,
  page,
  server,
}) => {
  const { agents, before } = await seen(page, server);
  await page.goto(server.url);
  await putBack(server, before);
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

test('a server that was only away, and a debate that went on meanwhile, are no reason to warn', async ({
  page,
  server,
}) => {
  const { agents } = await seen(page, server);
  agents.last = (await agents.arguments()).at(-1)?.id ?? '';
  await page.goto(server.url);
  await server.down();
  await server.up();
  for (let n = 0; n < 40; n++) await agents.claim(n % 2 === 0 ? 'opponent' : 'proposer', `Later ${n}`);
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await live(page);
  await expect.poll(() => remembered(page, agents.debateId)).toBe(43);
  await expect(warning(page)).toHaveCount(0);
});

for (const [name, colorScheme, viewport, locale] of LOOKS) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds nothing about the warning', async ({ page, server }) => {
      const { before } = await seen(page, server);
      await putBack(server, before);
      await expect(warning(page)).toBeVisible({ timeout: 20_000 });
      await live(page);
      await clean(page, `${name}-witness`);
      await warning(page).getByRole('button').click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await clean(page, `${name}-witness-accept`);
    });
  });
}
