import { expectNoViolations } from './support/accessibility';
import { TestDocument } from './support/documents';
import { IssueDebate } from './support/issueDebate';
import { expect, picture, test } from './support/test';

const TEXT = [
  '---',
  'title: Cache the price list',
  'tags:',
  '  - cache',
  '---',
  '',
  '# Plan',
  '',
  '```mermaid',
  'flowchart LR',
  '  A[Read] --> B{In cache?}',
  '  B -->|yes| C[Answer]',
  '  B -->|no| D["<script>window.__ran=1</script>"]',
  '  click A "javascript:window.__ran=1"',
  '```',
  '',
  '```mermaid',
  'no such diagram',
  '```',
  '',
].join('\n');

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390, 320]) {
    test.describe(`${colorScheme} ${width}`, () => {
      test.use({
        colorScheme,
        viewport: { width, height: 844 },
        contextOptions: { reducedMotion: 'reduce' },
      });

      test('front matter is a table, and a diagram is drawn as an image that runs nothing', async ({
        page,
        server,
      }) => {
        const loaded: string[] = [];
        page.on('request', (request) => loaded.push(request.url()));
        const plain = await new TestDocument(server.url).create('Plain', 'Only words.');
        await page.goto(`${server.url}/?doc=${plain.id}`);
        await expect(page.getByText('Only words.')).toBeVisible();
        const before = loaded.filter((url) => url.endsWith('.js')).length;

        const doc = await new TestDocument(server.url).create('Cache the price list', TEXT);
        await page.goto(`${server.url}/?doc=${doc.id}`);
        await expect(page.getByRole('rowheader').or(page.locator('th')).first()).toHaveText('title');
        const diagram = page.getByRole('img', { name: 'Diagram' });
        await expect(diagram).toHaveCount(1);
        await expect
          .poll(() => diagram.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(200);
        await expect(page.getByText('This diagram could not be drawn.')).toBeVisible();
        expect(await diagram.getAttribute('src')).toContain(encodeURIComponent('&lt;script>').slice(0, 12));
        expect(await page.evaluate(() => '__ran' in window)).toBe(false);
        // The library is loaded for a diagram only.
        expect(loaded.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(before);
        await expectNoViolations(page, `diagram-${colorScheme}-${width}`);
        await page.getByRole('button', { name: 'Show the code' }).click();
        await expect(page.getByText('flowchart LR')).toBeVisible();
      });
    });
  }
}

test('options of an appeal are shown with their markdown', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'No.');
  await debate.appealWith('Which?', [{ label: 'Use `flock`', detail: 'It is **held** by the kernel.' }]);
  await debate.ruling('The first.');
  await page.goto(debate.url);
  const options = page.locator('[data-type=APPEAL]').getByRole('list', { name: 'Options' });
  await expect(options.locator('code')).toHaveText('flock');
  await expect(options.locator('strong')).toHaveText('held');
  await picture(page, 'options');
});
