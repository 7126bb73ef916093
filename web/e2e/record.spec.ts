import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { addVersion, type PlanDebate, planDebate, THIRD } from './support/planDebate';
import { post } from './support/rest';
import { expect, picture, test } from './support/test';

async function closedDebate(server: string): Promise<PlanDebate> {
  const { debate, plan } = await planDebate(server);
  await debate.claim('proposer', 'Nothing is left.');
  await debate.claim('opponent', `Agreed on doc_id=${plan} v3.`, [{ change: 'withdraw', issue: 'I3' }]);
  await debate.resolution(`All agreed: doc_id=${plan} v3.`);
  await debate.ruling('Build **version 3**.', true);
  return { debate, plan };
}

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('a record that arrives late leaves the focus where it went meanwhile', async ({ page, server }) => {
  const { debate } = await closedDebate(server.url);
  let arrive = () => {};
  const arrives = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/record\b/, async (route) => {
    await arrives;
    await route.continue();
  });
  await page.goto(`${debate.url}?record`);
  const region = page.getByRole('region', { name: 'Record' });
  await expect(region).toBeFocused();
  await expect(region).toHaveAttribute('aria-busy', 'true');
  const back = page.getByRole('link', { name: 'Back to the debate' });
  await back.focus();
  arrive();
  await expect(page.getByRole('article')).toBeVisible();
  await expect(back).toBeFocused();
});

test('a closed debate leads to its record, which is saved and printed', async ({ page, server }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  const { debate, plan } = await closedDebate(server.url);
  await page.goto(debate.url);
  const actions = page.getByRole('region', { name: 'Your actions' });
  await expect(actions).toContainText('This debate is closed');
  await expect(actions).toContainText('Agreed');
  await picture(page, 'record-closed');
  await actions.getByRole('link', { name: 'The record' }).click();
  await expect(page).toHaveURL(`${debate.url}?record`);
  await page.reload();
  const record = page.getByRole('article');
  await expect(record.getByRole('heading', { level: 1, name: 'Cache the price list' })).toBeVisible();
  await expect(record.locator('strong').first()).toHaveText('version 3');
  await expect(record.getByTitle(`doc_id=${plan} v3`)).toHaveText('Cache the price list v3');
  await expect(record.getByRole('row').filter({ hasText: 'Nothing invalidates the cache' })).toContainText(
    'resolved',
  );
  await expect(record).not.toContainText('This is a draft');
  await picture(page, 'record');
  // The keys scroll the page.
  await expect(page.getByRole('region', { name: 'Record' })).toBeFocused();
  // Nobody asked for this focus: it has no frame, on paper neither.
  await expect(page.getByRole('region', { name: 'Record' })).toHaveCSS('outline-style', 'none');

  const served = (await (await fetch(`${server.url}/debates/${debate.id}/record`)).json()).data;
  const json = await saved(page, 'JSON');
  expect(json.name).toBe(`cache-the-price-list-${debate.id.slice(0, 8)}-record.json`);
  expect(JSON.parse(json.text)).toEqual(served);
  const markdown = await saved(page, 'Markdown');
  expect(markdown.text).toContain('## Decision Outcome\n\nThe sides agreed');
  expect(markdown.text).toContain('> Build **version 3**.');
  expect(markdown.text).toContain(served.record.head);
  const transcript = await saved(page, 'Transcript');
  expect(transcript.text.match(/^## #\d+ /gm)).toHaveLength(served.record.arguments.length);
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body[data-printed]')).toBeAttached();

  // On paper there is the whole record and nothing else, in light colours.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Search titles and texts' })).toBeHidden();
  const cut = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll('html, body, main, #debate, .record-screen, .record-screen > section'),
    )
      .filter((element) => getComputedStyle(element).overflowY !== 'visible')
      .map(({ tagName }) => tagName),
  );
  expect(cut).toEqual([]);
  const pdf = await page.pdf({ path: 'e2e-artifacts/record.pdf', format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('link', { name: 'Back to the debate' }).click();
  await expect(page).toHaveURL(debate.url);
  await expect(actions).toContainText('This debate is closed');
});

test('the record of an open debate is a draft; a plan that the opponent has not seen is warned of', async ({
  page,
  server,
}) => {
  const { debate, plan } = await planDebate(server.url);
  await addVersion(server.url, plan, 'One more line', `${THIRD}\nOne more.\n`);
  await debate.resolution(`All agreed: doc_id=${plan} v4.`);
  await page.goto(debate.url);
  const warning = page.getByRole('status').filter({ hasText: 'has not seen' });
  await expect(warning).toContainText('version 4');
  // Closing is not what the form leads to.
  await expect(page.getByRole('button', { name: 'Close the debate' })).not.toHaveClass(/bg-primary/);
  await expect(page.getByRole('button', { name: 'Send back' })).toHaveClass(/bg-primary/);
  await picture(page, 'record-unseen');
  const changes = page.getByRole('region', { name: 'What changed in the plan' });
  await changes.locator('summary').click();
  await expect(changes).toContainText('One more.');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'The record' }).click();
  await expect(page.getByRole('article')).toContainText('This is a draft');
  await expect(page.getByRole('article')).toContainText('has not seen this version');
  await page.goBack();
  await expect(warning).toBeVisible();
  await post(server.url, `/debates/${debate.id}/ruling`, { content: 'Fine.', close: true });
  await expect(page.getByText('This debate is closed')).toBeVisible();
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds no violations in the record', async ({ page, server }) => {
      const { debate } = await closedDebate(server.url);
      await page.goto(`${debate.url}?record`);
      await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoViolations(page, `${name}-record`);
      await page.goto(debate.url);
      await expect(page.locator('a[href$="?record"]')).toBeVisible();
      await expectNoViolations(page, `${name}-record-closed`);
    });
  });
}
