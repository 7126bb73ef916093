import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectNoViolations } from './support/accessibility';
import { aw } from './support/aw';
import { PAYLOADS } from './support/payloads';
import { createDebate, post } from './support/rest';
import { expect, test } from './support/test';

/** Writes the record of a debate as a page and returns its URL. */
async function recordPage(server: string, debate: string, folder: string): Promise<string> {
  const path = join(folder, `${debate}.html`);
  const words = ['debate', 'record', '--debate-id', debate, '--format', 'html', '--output', path];
  expect(await aw<{ path: string }>(server, words)).toMatchObject({ path });
  return pathToFileURL(path).href;
}

/** A closed debate that has this text wherever one may be. */
async function closedDebate(server: string, text: string): Promise<string> {
  const line = text.replaceAll(/[\t\n]/g, ' ').slice(0, 200);
  const { id, motion } = await createDebate(server, line, text);
  const claim = await post(server, `/debates/${id}/arguments`, {
    role: 'opponent',
    target_id: motion,
    content: text,
    issue_changes: [{ change: 'raise', severity: 'high', title: line, location: line, note: text }],
  });
  await post(server, `/debates/${id}/appeal`, {
    target_id: claim.argument.id,
    content: text,
    options: [{ label: line, detail: text }],
    issue_changes: [{ change: 'refer', issue: 'I1', note: text }],
  });
  await post(server, `/debates/${id}/ruling`, {
    content: text,
    chosen_option: 0,
    issue_changes: [{ change: 'dismiss', issue: 'I1', note: text }],
  });
  await post(server, `/debates/${id}/intervention`, { content: text });
  await post(server, `/debates/${id}/ruling`, { content: text, close: true });
  return id;
}

test('a record as a page stands by itself: offline, accessible, and its payloads run nothing', async ({
  page,
  server,
  context,
}) => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), 'record-'));
  try {
    const pages: string[] = [];
    for (const payload of PAYLOADS) {
      pages.push(await recordPage(server.url, await closedDebate(server.url, payload), folder));
    }
    await context.setOffline(true);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    for (const url of pages) {
      await page.goto(url);
      // The pages below are opened by a real pointer; here it would take most of the time.
      await page.evaluate(() => {
        for (const summary of document.querySelectorAll('summary')) summary.click();
      });
      await expect(page.locator('details[open]')).toHaveCount(6);
      expect(await page.locator('img, script, iframe, object, form, input, link').count()).toBe(0);
      for (const href of await page
        .getByRole('link')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')))) {
        expect(href).toMatch(/^(https?:|mailto:)/);
      }
      expect(await page.evaluate(() => '__ran' in window)).toBe(false);
    }
    expect(loaded).toEqual(pages);

    const [first] = pages;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(first ?? '');
      await expectNoViolations(page, `record-page-${colorScheme}`);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await expectNoViolations(page, `record-page-${colorScheme}-open`);
    }
    await page.goto(first ?? '');
    await page.emulateMedia({ media: 'print' });
    // On paper nothing is folded in.
    const texts = page.locator('details > .text');
    await expect(texts).toHaveCount(6);
    for (const text of await texts.all()) await expect(text).toBeVisible();
  } finally {
    await rm(folder, { recursive: true });
  }
});
