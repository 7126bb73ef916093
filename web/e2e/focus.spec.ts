import type { Request } from '@playwright/test';
import { IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { expect, test } from './support/test';

/** An appeal beside many issues, of which the worst come last. */
async function manyIssues(server: string, n = 12): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server);
  const severities = [...Array<string>(n - 2).fill('low'), 'high', 'critical'];
  await debate.claim(
    'opponent',
    'Many.',
    severities.map((severity, index) => raise(severity, `Fault ${index + 1}`)),
  );
  await debate.appeal('Close it?');
  return debate;
}

test('a question before sending names the worst issues first, and gives the focus back', async ({
  page,
  server,
}) => {
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('It is over.');
  const close = page.getByRole('button', { name: 'Close the debate, 12 issues not settled' });
  const dialog = page.getByRole('alertdialog');
  for (const leave of ['Cancel', 'Escape']) {
    await close.click();
    await expect(dialog).toContainText('12 issues not settled, 2 of them critical or high:');
    await expect(dialog.getByRole('listitem').first()).toHaveText(/^I12 Critical Fault 12/);
    await expect(dialog.getByRole('listitem').nth(1)).toHaveText(/^I11 High Fault 11/);
    await expect(dialog.getByRole('listitem').last()).toHaveText('and 4 more');
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: leave }).click();
    await expect(dialog).toBeHidden();
    await expect(close).toBeFocused();
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(close).toBeFocused();
});

test('a question before sending names the last issue where a line for one more would take its room', async ({
  page,
  server,
}) => {
  const debate = await manyIssues(server.url, 9);
  await page.goto(debate.url);
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('It is over.');
  await page.getByRole('button', { name: 'Close the debate, 9 issues not settled' }).click();
  const issues = page.getByRole('alertdialog').getByRole('listitem');
  await expect(issues).toHaveCount(9);
  await expect(issues.last()).toHaveText(/^I\d+ /);
});

test('what shows more issues leads to the first of them', async ({ page, server }) => {
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await expect(page.locator('[data-decide]').first()).toBeVisible();
  const shown = await page.locator('[data-decide]').count();
  await page.getByRole('button', { name: /^Show \d+ more issues$/ }).click();
  await expect(page.locator('[data-decide]').nth(shown).locator(':focus')).toHaveCount(1);
});

const SCREENS = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

for (const viewport of SCREENS) {
  test(`${viewport.width} px: no field that gets the focus is left under the bar`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    const debate = await manyIssues(server.url);
    await page.goto(debate.url);
    await page.getByRole('button', { name: /^Show \d+ more issues$/ }).click();
    await page.locator('[data-decide]').first().locator('input').first().focus();
    let fields = 0;
    for (let turn = 0; turn < 60; turn += 1) {
      await page.keyboard.press('Tab');
      const covered = await page.evaluate(() => {
        const bar = document.querySelector('[data-ruling-buttons]');
        const field =
          document.activeElement?.closest('label, button, a, textarea, select') ?? document.activeElement;
        if (!bar || !field || bar.contains(field) || !document.querySelector('form')?.contains(field))
          return null;
        return field.getBoundingClientRect().bottom - bar.getBoundingClientRect().top;
      });
      if (covered === null) continue;
      fields += 1;
      expect(covered).toBeLessThanOrEqual(1);
    }
    expect(fields).toBeGreaterThan(6);
  });
}

test('what was pressed to go to another page leaves the focus in that page', async ({ page, server }) => {
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeVisible();
  await page.getByRole('link', { name: 'Read the debate' }).press('Enter');
  await expect(page.locator('#debate')).toBeFocused();

  // The way that the list of shortcuts names.
  await page.keyboard.press('r');
  await expect(page.getByRole('link', { name: 'Decide', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'What you decide' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('form :focus')).toHaveCount(1);

  await page.goto(`${debate.url}?record`);
  await expect(page.getByRole('region', { name: 'Record' })).toBeFocused();
  await page.getByRole('link', { name: 'Back to the debate' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();

  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();
  await page.locator('[data-card] h2 a').press('o');
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();

  // On a phone the list is hidden by the page that it leads to.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/?list`);
  await page.locator('a[data-debate]').press('Enter');
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();
});

test('what leads to the newest argument leaves the focus in the list, also where it is loaded first', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  for (let seq = 2; seq < 90; seq += 1)
    await debate.claim(seq % 2 === 0 ? 'opponent' : 'proposer', 'Words. '.repeat(200));
  await page.goto(`${debate.url}#2`);
  await expect(page.locator('[data-seq="2"]')).toBeInViewport();
  await page.getByRole('button', { name: 'Go to the newest' }).press('Enter');
  await expect(page.locator('[data-seq="89"]')).toBeInViewport();
  await expect(page.getByRole('region', { name: 'Arguments, oldest first' })).toBeFocused();
});

test('what removes itself leaves the focus beside it', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  for (let seq = 2; seq < 29; seq += 1)
    await debate.claim(seq % 2 === 0 ? 'opponent' : 'proposer', `Argument ${seq}. ${'Words. '.repeat(200)}`);
  await debate.appeal('Which of them?');
  await page.goto(`${debate.url}#2`);
  await page.getByRole('button', { name: 'Go to the newest' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Go to the newest' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Arguments, oldest first' })).toBeFocused();

  await page.getByRole('link', { name: 'Decide', exact: true }).click();
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('The first.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Hide this notice' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Hide this notice' })).toBeHidden();
  await expect(page.locator('#debate')).toBeFocused();
});

test('a link in what follows that goes with the next answer leaves the focus beside it', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'Two.', [raise('high', 'No bound'), raise('high', 'No log')]);
  await debate.appeal('Both?', [{ change: 'refer', issue: 'I1' }]);
  const isDismissed = (request: Request) => request.postData()?.includes('dismiss') === true;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/ruling', async (route) => {
    if (isDismissed(route.request())) await held;
    await route.continue();
  });
  await page.goto(debate.url);
  await page.locator('[data-decide=I1]').getByText('Uphold', { exact: true }).click();
  const follows = page.locator('[data-follows]');
  await expect(follows).toContainText('has to fix I1');
  const asked = page.waitForRequest(isDismissed);
  await page.locator('[data-decide=I1]').getByText('Dismiss', { exact: true }).click();
  await follows.getByRole('link', { name: 'I1' }).focus();
  await asked;
  release();
  await expect(follows).not.toContainText('I1');
  await expect(follows).toBeFocused();
});

test('a control on a page in the list, and one that goes with the answer of the server', async ({
  page,
  server,
}) => {
  for (let index = 0; index < 60; index += 1) await IssueDebate.create(server.url, `Debate ${index}`);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
  await expect(page.locator('body')).not.toBeFocused();
});

test('one reason for all is asked for before one for each', async ({ page, server }) => {
  const debate = await manyIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('combobox', { name: /^Decide all/ }).selectOption('Defer');
  // What a decision needs is told by the server.
  const common = page.getByRole('textbox', { name: 'Why, for all of them (needed)' });
  await expect(common).toBeVisible();
  await page.getByRole('textbox', { name: 'Your ruling' }).press('Control+Enter');
  await expect(common).toBeFocused();
  await page.keyboard.type('Not now.');
  await expect(page.getByText(/reasons? (is|are) missing/)).toBeHidden();
  // Reasons of their own are enough.
  await page.locator('[data-decide]').first().getByRole('textbox').fill('Next month.');
  await expect(common).toHaveValue('');
  await page.getByRole('textbox', { name: 'Your ruling' }).press('Control+Enter');
  await expect(common).toBeHidden();
});

test('j and k lead to a row that is seen', async ({ page, server }) => {
  const first = await IssueDebate.create(server.url, 'The oldest');
  for (let index = 0; index < 20; index += 1) await IssueDebate.create(server.url, `Debate ${index}`);
  const row = page.locator('a[data-debate][aria-current]');
  await page.goto(first.url);
  await expect(row).toContainText('The oldest');
  await expect(row).toBeInViewport({ ratio: 1 });
  for (let turn = 0; turn < 20; turn += 1) await page.keyboard.press('k');
  await expect(row).toContainText('Debate 19');
  await expect(row).toBeInViewport({ ratio: 1 });
});

test('what is opened by its address has no frame around its focus until a key is pressed', async ({
  page,
  server,
}) => {
  const { debate, plan } = await planDebate(server.url);
  await debate.appeal('Which?');
  const pages = [
    [`/d/${debate.id}`, page.getByRole('region', { name: 'What you decide' })],
    [`/#${debate.id}`, page.locator(`[data-card="${debate.id}"] h2 a`)],
    [`/d/${debate.id}#I3`, page.locator('#issues [data-issue=I3] [data-focus]')],
    [`/?doc=${plan}`, page.getByRole('dialog').locator('section')],
  ] as const;
  for (const [address, focused] of pages) {
    await page.goto('about:blank');
    await page.goto(`${server.url}${address}`);
    await expect(focused).toBeFocused();
    // The frame of an issue is that of its card.
    const framed = address.endsWith('#I3') ? page.locator('[data-issue=I3] > div') : focused;
    await expect(framed).toHaveCSS('outline-style', 'none');
    await page.keyboard.press('Shift');
    await expect(framed).toHaveCSS('outline-style', 'solid');
  }
});
