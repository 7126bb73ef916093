import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { Agents } from './support/agents';
import { TestDocument } from './support/documents';
import { post } from './support/rest';
import { Server } from './support/server';
import { expect, picture, test } from './support/test';

const STEPS = Array.from({ length: 40 }, (_, index) => `${index + 1}. Step ${index + 1} of the work.`).join(
  '\n',
);
const V1 = `# Plan: cache the price list

We keep the price list in memory for **60 seconds**.

## Steps

${STEPS}

## Risks

| Risk | Mitigation |
|---|---|
| A stale price | a short life |
`;
const V2 = V1.replace('60 seconds', '30 seconds');
const V3 = V2.replace('in memory for **30 seconds**', 'in memory until it **changes**').replace(
  '| A stale price | a short life |',
  '| A stale price | invalidate on change |\n| A lost message | read again each hour |',
);

const panel = (page: Page) => page.getByRole('dialog');

async function plan(server: Server, token?: string): Promise<TestDocument> {
  const doc = await new TestDocument(server.url, token).create('Plan: cache the price list', V1);
  await doc.submit('Half the time', V2);
  return await doc.submit('Invalidate on change', V3);
}

test('a citation leads to the drawer; Back closes it after any number of views', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const doc = await plan(server);
  const agents = await new Agents(server.url).create(
    'Cache the price list',
    `The plan is doc_id=${doc.id} v2, and \`${doc.id}\` as it is now.`,
  );
  await page.goto(`${server.url}/d/${agents.debateId}`);
  const citation = page.getByRole('link', { name: 'Plan: cache the price list v2' });
  await citation.click();
  const large = page.getByRole('button', { name: 'Versions and download' });
  await large.click();
  await expect(
    panel(page).getByRole('heading', { level: 2, name: 'Plan: cache the price list' }),
  ).toBeVisible();
  await expect(panel(page).getByText('Half the time')).toBeVisible();
  await expect(panel(page).getByText('v2 of 3')).toBeVisible();
  await expect(
    panel(page).getByRole('heading', { level: 3, name: 'Plan: cache the price list' }),
  ).toBeVisible();
  await expect(panel(page).getByRole('region', { name: 'Rendered' })).toBeFocused();
  await expect(panel(page).locator('strong')).toHaveText('30 seconds');
  await picture(page, 'document');

  // Switch between rendered and raw by button and by key.
  await panel(page).getByText('Raw', { exact: true }).click();
  await expect(panel(page).locator('.raw-text p').nth(2)).toHaveText(
    'We keep the price list in memory for **30 seconds**.',
  );
  await picture(page, 'document-raw');
  await page.keyboard.press('v');
  await expect(panel(page).locator('strong')).toHaveText('30 seconds');
  await page.keyboard.press('n');
  await expect(panel(page).getByText('v3 of 3')).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('p');
  await expect(panel(page).getByText('v1 of 3')).toBeVisible();
  await expect(panel(page).getByRole('button', { name: 'Previous version' })).toBeDisabled();

  // One Back closes the drawer after any number of views, and the focus returns to the button.
  await page.goBack();
  await expect(panel(page)).toBeHidden();
  await expect(page).toHaveURL(`${server.url}/d/${agents.debateId}?plan=${doc.id}&v=2`);
  await expect(large).toBeFocused();
  await large.click();
  await expect(panel(page).getByText('v2 of 3')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
});

test('changes between versions are shown by lines, also on a phone', async ({ page, server }) => {
  const doc = await plan(server);
  await page.goto(`${server.url}/?doc=${doc.id}`);
  await expect(panel(page).getByText('v3 of 3')).toBeVisible();
  await page.keyboard.press('h');
  await expect(panel(page).locator('[data-version]')).toHaveCount(3);
  await expect(panel(page).locator('[data-version]').first()).toContainText('Invalidate on change');
  await picture(page, 'document-versions');
  await panel(page).getByRole('button', { name: 'What changed from v2 to v3' }).click();
  await panel(page)
    .getByRole('combobox', { name: 'From version' })
    .selectOption({ label: await label(page, 1) });

  const table = panel(page).getByRole('table', { name: 'Changes from version 1 to version 3' });
  const lines = table.locator('td:has(.removed), .removed .text, .added .text');
  await expect(lines.first()).toHaveText('We keep the price list in memory for **60 seconds**.');
  await expect(lines.nth(1)).toHaveText('We keep the price list in memory until it **changes**.');
  await expect(table.locator('del').first()).toHaveText('for');
  await expect(table.locator('.added .text').last()).toHaveText('| A lost message | read again each hour |');
  await expect(panel(page).getByText('3 lines added')).toBeVisible();
  await expect(panel(page).getByText('2 lines removed')).toBeVisible();

  // Unchanged lines are collapsed.
  await expect(table.getByText('20. Step 20 of the work.')).toHaveCount(0);
  await picture(page, 'document-changes');
  await table.getByRole('button', { name: /^Show \d+ unchanged lines$/ }).click();
  await expect(table.getByText('20. Step 20 of the work.')).toHaveCount(1);

  // The address has the full state.
  await expect(page).toHaveURL(`${server.url}/?doc=${doc.id}&v=3&view=changes&from=1`);
  await page.reload();
  await expect(table.locator('del').first()).toHaveText('for');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(lines.nth(1)).toHaveText('We keep the price list in memory until it **changes**.');
  await picture(page, 'document-changes-phone');

  // The page was loaded with the drawer open: closing it stays on the page.
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(page).toHaveURL(`${server.url}/`);
});

async function label(page: Page, version: number): Promise<string> {
  const option = panel(page)
    .getByRole('combobox', { name: 'From version' })
    .locator(`option[value="${version}"]`);
  return (await option.textContent()) ?? '';
}

test('documents can be searched, and are updated when the window gets the focus', async ({
  page,
  server,
}) => {
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Documents' }).click();
  await expect(panel(page).getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  const doc = await plan(server);
  const other = await new TestDocument(server.url).create('Số đo trên đĩa chậm', '{"ms": [1, 2, 3]}');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(panel(page).locator('[data-document]')).toHaveCount(2);
  await picture(page, 'documents');

  const search = panel(page).getByRole('textbox', { name: 'Search by id or summary' });
  await search.fill('invalidate');
  await expect(panel(page).locator('[data-document]')).toHaveCount(1);
  await search.fill('100%');
  await expect(panel(page).getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await search.fill(other.id.slice(0, 8));
  await panel(page).locator(`[data-document="${other.id}"]`).click();
  // JSON is shown raw.
  await expect(panel(page).locator('.raw-text')).toHaveText('{"ms": [1, 2, 3]}');
  await page.keyboard.press('d');
  await expect(panel(page).getByText('There is only one version')).toBeVisible();

  await page.goBack();
  await panel(page).locator(`[data-document="${doc.id}"]`).click();
  await expect(panel(page).getByText('v3 of 3')).toBeVisible();
  await doc.submit('Fourth', `${V3}\nMore.`);
  const newest = panel(page).getByRole('button', { name: 'Show version 4' });
  // A focus that comes while the document is still being read for another reason reads nothing anew.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(newest).toBeVisible({ timeout: 1000 });
  }).toPass();
  await newest.click();
  await expect(panel(page).getByText('Fourth')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`${server.url}/`);
});

test('120 versions are listed page by page, without fetching their contents', async ({ page, server }) => {
  const { document } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'Version 1',
    content: 'x'.repeat(10_000),
  });
  for (let version = 2; version <= 120; version += 1) {
    const content = `${version} ${'x'.repeat(10_000)}`;
    await post(server.url, `/documents/${document.id}/versions`, { summary: `Version ${version}`, content });
  }
  const sizes: number[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/versions')) sizes.push((await response.body()).length);
  });
  await page.goto(`${server.url}/?doc=${document.id}&view=versions`);
  await expect(panel(page).locator('[data-version]')).toHaveCount(50);
  await panel(page).getByRole('button', { name: 'Show more' }).click();
  await panel(page).getByRole('button', { name: 'Show more' }).click();
  await expect(panel(page).locator('[data-version]')).toHaveCount(120);
  await expect(panel(page).getByRole('button', { name: 'Show more' })).toBeHidden();
  await panel(page).locator('[data-version="1"]').click();
  await expect(panel(page).getByText('v1 of 120')).toBeVisible();
  expect(Math.max(...sizes)).toBeLessThan(20_000);
});

test('a megabyte is shown, compared and saved byte for byte, and the page keeps responding', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000);
  // Paragraphs of nine lines.
  const line = (index: number) =>
    index % 10 === 0
      ? '\r\n'
      : `Line ${index}: every waiter registers first, then reads, then parks. Đúng 😀\r\n`;
  const lines = Array.from({ length: 13_000 }, (_, index) => line(index + 1));
  const before = lines.join('').slice(0, 1_000_000);
  const after = before.replaceAll('Line 7777:', 'Line seven:').replace('Line 12:', 'Line twelve:');
  const { document } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'Long',
    content: before,
  });
  await post(server.url, `/documents/${document.id}/versions`, { summary: 'Long', content: after });

  await page.goto(`${server.url}/?doc=${document.id}&view=raw`);
  await expect(panel(page).locator('.raw-text p').first()).toContainText('Line 1:');
  await expect(panel(page).getByText('Up to line 5001')).toBeAttached();
  const saved = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Download' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`long-${document.id.slice(0, 8)}-v2.md`);
  expect(await readFile(await file.path(), 'utf8')).toBe(after);

  await page.evaluate(() => {
    let last = performance.now();
    Object.assign(window, { __longest: 0 });
    const frame = () => {
      const now = performance.now();
      Object.assign(window, {
        __longest: Math.max((window as unknown as { __longest: number }).__longest, now - last),
      });
      last = now;
      requestAnimationFrame(frame);
    };
    frame();
  });
  await page.keyboard.press('d');
  await expect(panel(page).locator('ins').first()).toHaveText('twelve');
  await expect(panel(page).getByText('2 lines added')).toBeVisible();
  await page.keyboard.press('v');
  await expect(panel(page).getByText('too long to be rendered completely')).toBeAttached({ timeout: 30_000 });
  // In parts, however long the beginning was shown before.
  await expect(panel(page).locator('.prose-document')).not.toHaveCount(1);
  await expect(panel(page).getByText('Line 2601:')).toBeAttached();
  const longest = await page.evaluate(() => (window as unknown as { __longest: number }).__longest);
  test.info().annotations.push({ type: 'longest frame', description: `${Math.round(longest)} ms` });
  expect(longest).toBeLessThan(2500);
});

test('what cannot be rendered is shown as plain text, and stays so while it is tried again', async ({
  page,
  server,
}) => {
  const { document: created } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'Long',
    content: 'A paragraph.\n\n'.repeat(4_000),
  });
  await page.addInitScript(failToParseLongTexts);
  await page.goto(`${server.url}/?doc=${created.id}`);
  const plain = panel(page).getByText('Shown as plain text');
  await expect(plain).toBeVisible();
  const failures = () => page.evaluate(() => (window as unknown as { failures: number }).failures);
  expect(await failures()).toBe(1);
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('.prose-document') !== null) Object.assign(window, { rendered: true });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    window.dispatchEvent(new Event('focus'));
  });
  await expect.poll(failures).toBe(2);
  await expect(plain).toBeVisible();
  expect(await page.evaluate(() => 'rendered' in window)).toBe(false);
});

/** In the page: the worker cannot parse texts that are longer than the beginning that is shown first. */
function failToParseLongTexts(): void {
  let failures = 0;
  const Original = Worker;
  window.Worker = class extends Original {
    override postMessage(message: { id: number; request: { text: string } }): void {
      if (message.request.text.length < 30_000) super.postMessage(message);
      else {
        setTimeout(() => {
          Object.assign(window, { failures: ++failures });
          this.dispatchEvent(new MessageEvent('message', { data: { id: message.id, tree: null } }));
        }, 500);
      }
    }
  };
}

test.describe('missing', () => {
  test.use({ allowedErrors: /Failed to load resource.*(404|400)/ });

  test('an unknown document, an unknown version and a deleted document are reported', async ({
    page,
    server,
  }) => {
    const doc = await plan(server);
    const agents = await new Agents(server.url).create('Not there', 'Motion');
    for (const id of ['00000000-0000-4000-8000-000000000000', 'cut-short', agents.debateId]) {
      await page.goto(`${server.url}/?doc=${id}`);
      await expect(panel(page).getByRole('heading', { name: 'There is no such document' })).toBeVisible();
    }
    await picture(page, 'document-missing');
    await page.goto(`${server.url}/?doc=${doc.id}&v=9`);
    await expect(panel(page).getByRole('heading', { name: 'There is no version 9' })).toBeVisible();
    await panel(page).getByRole('button', { name: 'Show version 3' }).click();
    await expect(panel(page).getByText('v3 of 3')).toBeVisible();

    await doc.delete();
    await page.goto(`${server.url}/?doc=${doc.id}&v=1`);
    await expect(panel(page).getByText('Deleted')).toBeVisible();
    await expect(panel(page).locator('strong')).toHaveText('60 seconds');
    await page.goto(`${server.url}/?docs`);
    await expect(panel(page).getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  });
});

test.describe('behind a token', () => {
  test.use({ allowedErrors: /Failed to load resource.*401|WebSocket connection to/ });

  test('a document’s address asks for it, and then shows the document', async ({ page }) => {
    const server = await Server.start({ DEBATE_AUTH_TOKEN: 'agents-token' });
    try {
      const doc = await plan(server, 'agents-token');
      await page.goto(`${server.url}/?doc=${doc.id}&v=2`);
      await page.getByLabel('Token', { exact: true }).fill('agents-token');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(panel(page).getByText('v2 of 3')).toBeVisible();
    } finally {
      // The page goes on loading what is not seen yet.
      await page.close();
      await server.remove();
    }
  });
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });
    test.use({ allowedErrors: /Failed to load resource.*404/ });

    test('axe finds no violations in documents', async ({ page, server }) => {
      const doc = await plan(server);
      const deleted = await new TestDocument(server.url).create('', '', '--metadata={"path": "plan.md"}');
      const agents = await new Agents(server.url).create('Cites', `See doc_id=${doc.id} v2.`);
      await page.goto(`${server.url}/?docs`);
      await expect(page.locator('[data-document]')).toHaveCount(2);
      const wide = panel(page).getByRole('region', { name: /./ });
      expect(await wide.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
      await expectNoViolations(page, `${name}-documents`);
      await deleted.delete();
      await page.goto(`${server.url}/d/${agents.debateId}`);
      await expect(page.locator('a.citation')).toBeVisible();
      await expectNoViolations(page, `${name}-citation`);
      for (const [what, search, ready] of [
        ['document', `?doc=${doc.id}`, '.prose-document strong'],
        ['document-raw', `?doc=${doc.id}&view=raw`, '.raw-text'],
        ['document-versions', `?doc=${doc.id}&view=versions`, '[data-version="1"]'],
        ['document-changes', `?doc=${doc.id}&view=changes&from=1`, 'ins'],
        ['document-deleted', `?doc=${deleted.id}`, '[role=dialog] details'],
        ['document-missing', '?doc=00000000-0000-4000-8000-000000000000', '[role=dialog] h3'],
      ] as const) {
        await page.goto(`${server.url}/d/${agents.debateId}${search}`);
        await expect(page.locator(ready).first()).toBeVisible();
        await expectNoViolations(page, `${name}-${what}`);
      }
    });
  });
}
