import { Agents } from './support/agents';
import { disputedDebate } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { expect, picture, test } from './support/test';

test('a deep link works, survives a reload, and jumps to its argument', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Deep', 'Motion');
  await agents.claim('opponent', 'Second');
  await page.goto(`${server.url}/d/${agents.debateId}#2`);
  await expect(page.locator('[data-seq="2"].highlight')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Deep' })).toBeVisible();
  await page.locator('[data-seq="2"]').getByRole('link', { name: 'Replies to #1' }).click();
  await expect(page.locator('[data-seq="1"].highlight')).toBeVisible();
  await expect(page).toHaveURL(/#1$/);
});

test('back and forward move between debates and the list', async ({ page, server }) => {
  const first = await new Agents(server.url).create('First', 'One');
  await new Agents(server.url).create('Second', 'Two');
  await page.goto(server.url);
  await page.getByRole('link', { name: /First/ }).click();
  await page.getByRole('link', { name: /Second/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Second' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'First' })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/d/${first.debateId}`);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
});

test.describe('missing', () => {
  test.use({ allowedErrors: /Failed to load resource.*(404|400)/ });

  test('an unknown and a truncated id show an error', async ({ page, server }) => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'cut-short']) {
      await page.goto(`${server.url}/d/${id}`);
      await expect(page.getByRole('heading', { name: 'There is no such debate' })).toBeVisible();
    }
    await picture(page, 'missing');
  });

  test('a debate that is created after its page was opened appears', async ({ page, server }) => {
    const agents = new Agents(server.url);
    await page.goto(`${server.url}/d/${agents.debateId}`);
    await expect(page.getByRole('heading', { name: 'There is no such debate' })).toBeVisible();
    await agents.create('Here now', 'Motion');
    await expect(page.getByRole('heading', { level: 1, name: 'Here now' })).toBeVisible();
  });

  test('an unknown path shows the page to a browser, and JSON to programs', async ({ page, server }) => {
    const answer = await page.goto(`${server.url}/nope`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to the inbox' }).last().click();
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
    const json = await page.request.get(`${server.url}/nope`, { headers: { accept: 'application/json' } });
    expect((await json.json()).error.code).toBe('NOT_FOUND');
  });

  test('a missing asset is a real 404', async ({ page, server }) => {
    for (const path of ['/_next/static/chunks/nothing.js', '/nothing.png']) {
      const answer = await page.request.get(server.url + path);
      expect(answer.status()).toBe(404);
      expect(answer.headers()['content-type']).not.toContain('text/html');
    }
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('Back closes a panel, which is in the address and outlives a reload', async ({ page, server }) => {
    const disputed = await disputedDebate(server.url);
    const { debate: planned, plan } = await planDebate(server.url);
    const panels = [
      [disputed.url, /^Issues/, 'Issues', '?issues', ''],
      [planned.url, 'Plan, v3', 'Plan', '?plan', ''],
      // Opened by a citation.
      [planned.url, 'v2', 'Plan', `?plan=${plan}&v=2`, '#3'],
    ] as const;
    for (const [url, button, name, search, hash] of panels) {
      await page.goto(`${server.url}/?list`);
      await page.goto(url + hash);
      const way =
        hash === ''
          ? page.getByRole('button', { name: button })
          : page.locator('[data-seq="3"] a', { hasText: button });
      await way.first().click();
      const panel = page.getByRole('complementary', { name });
      await expect(panel).toBeVisible();
      expect(new URL(page.url()).search).toBe(search);
      await page.goBack();
      await expect(panel).toBeHidden();
      await page.goForward();
      await expect(panel).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      expect(page.url()).toBe(url + hash);
      await page.goForward();
      await page.reload();
      await expect(panel).toBeVisible();
      await page.goBack();
      await expect(panel).toBeHidden();
      await page.goBack();
      await expect.poll(() => page.url(), { message: name }).toBe(`${server.url}/?list`);
    }
  });
});
