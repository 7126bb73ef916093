import { PAYLOAD_TEXTS, PAYLOADS, TOGETHER } from './support/payloads';
import { createDebate, post } from './support/rest';
import { expect, picture, test } from './support/test';

test(`${PAYLOADS.length} payloads in title, content and options run nothing`, async ({ page, server }) => {
  const ids: string[] = [];
  for (const [index, payload] of PAYLOADS.entries()) {
    const { id, motion } = await createDebate(
      server.url,
      payload.replaceAll(/[\t\n]/g, ' ').slice(0, 200),
      payload,
    );
    const text = PAYLOAD_TEXTS[index];
    if (text === undefined) continue;
    const { argument } = await post(server.url, `/debates/${id}/arguments`, {
      role: 'opponent',
      target_id: motion,
      content: text,
    });
    await post(server.url, `/debates/${id}/appeal`, {
      target_id: argument.id,
      content: text,
      options: PAYLOADS.slice(index * TOGETHER, (index + 1) * TOGETHER).map((each) => ({
        label: each,
        detail: each,
      })),
    });
    ids.push(id);
  }

  await page.goto(server.url);
  await expect(page.locator('[data-debate]')).toHaveCount(PAYLOADS.length);
  for (const id of ids) {
    await page.locator(`[data-debate="${id}"]`).click();
    await page.getByRole('radio').first().check();
    // The question, and what each side said last.
    await expect(page.locator('form .prose[aria-busy=false]')).toHaveCount(3);
    expect(await page.evaluate(() => '__ran' in window)).toBe(false);
    await page.getByRole('link', { name: 'Read the debate' }).click();
    await expect(page.locator('[data-seq="3"]')).toBeVisible();
    const article = page.locator('article');
    // HTML is shown as text, not dropped.
    for (const tag of PAYLOAD_TEXTS[ids.indexOf(id)]?.match(/^<[a-z]+[ >]/gm) ?? []) {
      await expect(page.locator('[data-seq="3"]')).toContainText(tag);
    }
    for (const link of await article.getByRole('link').all()) {
      expect(await link.getAttribute('href')).toMatch(/^(https?:|mailto:|\/d\/)/);
    }
    expect(await article.locator('img, script, iframe, svg script, style, form, object').count()).toBe(0);
    expect(await page.evaluate(() => '__ran' in window)).toBe(false);
  }
  await picture(page, 'xss');
});

test(`${PAYLOADS.length} payloads in a document’s summary and content run nothing`, async ({
  page,
  server,
}) => {
  const ids: string[] = [];
  for (const [index, payload] of PAYLOADS.entries()) {
    const summary = payload.replaceAll(/[\t\n]/g, ' ');
    const text = PAYLOAD_TEXTS[index];
    const body = { summary, content: text ?? payload, metadata: { [payload]: payload } };
    const { document } = await post<{ document: { id: string } }>(server.url, '/documents', body);
    if (text === undefined) continue;
    await post(server.url, `/documents/${document.id}/versions`, { ...body, content: `${text} and more` });
    ids.push(document.id);
  }
  await page.goto(`${server.url}/?docs`);
  await expect(page.locator('[data-document]')).toHaveCount(PAYLOADS.length);
  expect(await page.evaluate(() => '__ran' in window)).toBe(false);
  const panel = page.getByRole('dialog');
  for (const id of ids) {
    await page.locator(`[data-document="${id}"]`).click();
    await expect(panel.getByText('v2 of 2')).toBeVisible();
    for (const [view, shown] of [
      ['Rendered', '.prose'],
      ['Raw', '.raw-text'],
      ['Versions', '[data-version="1"]'],
      ['Changes', 'table'],
    ] as const) {
      await panel.getByRole('group', { name: 'View' }).getByText(view, { exact: true }).click();
      await expect(panel.locator(shown).first()).toBeVisible();
      const links = await panel
        .getByRole('link')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
      for (const href of links) expect(href).toMatch(/^(https?:|mailto:|\?doc=)/);
      expect(await panel.locator('img, script, iframe, svg script, style, form, object').count()).toBe(0);
      expect(await page.evaluate(() => '__ran' in window)).toBe(false);
    }
    await page.goBack();
  }
});
