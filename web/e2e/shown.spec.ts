import { Agents } from './support/agents';
import { TestDocument } from './support/documents';
import { expect, picture, test } from './support/test';

test('characters that turn a text around or are invisible are shown, and nothing looks like something else', async ({
  page,
  server,
}) => {
  const agents = await new Agents(server.url).create('Keep \u202edetele', 'Zero\u200bwidth, and `a\u2066b`.');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Which?', ['keep\u202ella eteled: all']);
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keep \\u{202e}detele');
  await expect(page).toHaveTitle(/Keep \\u\{202e\}detele/);
  await expect(page.getByRole('radio', { name: 'keep\\u{202e}lla eteled' })).toBeVisible();
  await page.getByRole('link', { name: 'Read the debate' }).click();
  await expect(page.locator('[data-seq="1"]')).toContainText('Zero\\u{200b}width, and a\\u{2066}b.');
  await picture(page, 'shown-hidden');

  const text = 'if (isAdmin\u202e \u2066) { // ok\u2069\n';
  const document = await new TestDocument(server.url).create('Code', text);
  await document.submit('Changed', `${text}more\u200b\n`);
  await page.goto(`${server.url}/?doc=${document.id}&v=2&view=raw`);
  await expect(page.locator('.raw-text')).toContainText('isAdmin\\u{202e} \\u{2066}) { // ok\\u{2069}');
  await page.goto(`${server.url}/?doc=${document.id}&v=2&view=changes&from=1`);
  await expect(page.locator('table.changes')).toContainText('more\\u{200b}');
});

test('a changed digit in code and a changed cell are marked, and a list of contents leads to its heading', async ({
  page,
  server,
}) => {
  const plan = (limit: number, cell: string) =>
    [
      '# Plan',
      '- [The end](#the-end)',
      `\`\`\`py\n${'line = 1\n'.repeat(40)}limit = ${limit}\n\`\`\``,
      `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(60)}| 3 | ${cell} |`,
      '## The end',
      'Last words.',
      '',
    ].join('\n\n');
  const document = await new TestDocument(server.url).create('Plan', plan(30, 'old'));
  await document.submit('Changed', plan(31, 'new'));
  const agents = await new Agents(server.url).create('Plan', `The plan is doc_id=${document.id} v2.`);
  await page.goto(`${server.url}/d/${agents.debateId}?plan&view=changes&from=1`);
  const panel = page.getByRole('complementary', { name: 'Plan' });
  await expect(panel.locator('ins')).toHaveText(['31', 'new']);
  await expect(panel.locator('del')).toHaveText(['30', 'old']);
  await picture(page, 'shown-changes');
  await page.goto(`${server.url}/?doc=${document.id}`);
  const end = page.getByRole('heading', { name: 'The end' });
  await expect(end).not.toBeInViewport();
  await page.getByRole('button', { name: 'The end' }).click();
  await expect(end).toBeInViewport();
});
