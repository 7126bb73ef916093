import { agreedDebate, IssueDebate, raise, referringDebate } from './support/issueDebate';
import { expect, test } from './support/test';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, sendsAtOnce: false });

test('by touch alone: from the inbox through a ruling until it is sent', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'How long may a client wait?');
  await debate.claim('opponent', 'Two faults.', [raise('high', 'No bound'), raise('low', 'A name')]);
  await debate.appealWith(
    'Which bound?',
    [{ label: 'Thirty seconds', issue_changes: [{ change: 'uphold', issue: 'I1' }] }, { label: 'None' }],
    [
      { change: 'refer', issue: 'I1' },
      { change: 'refer', issue: 'I2' },
    ],
  );
  await agreedDebate(server.url, 'Another one');
  await page.goto(server.url);
  const card = page.locator(`[data-card="${debate.id}"]`);
  await card.getByRole('link', { name: 'How long may a client wait?' }).tap();
  await expect(page).toHaveURL(debate.url);
  await page.getByText('Thirty seconds').tap();
  const second = page.locator('[data-decide="I2"]');
  await second.getByText('Defer').tap();
  await expect(page.locator('[data-follows]')).toHaveText('Say why at I2: that is needed.');
  // Which the button sends nothing without.
  await expect(page.locator('[data-follows]')).toBeVisible();
  const rule = page.getByRole('button', { name: 'Rule and continue' });
  const lacking = await rule.evaluate((element) => getComputedStyle(element).backgroundColor);
  await second.getByRole('textbox').fill('After the release.');
  await expect(rule).not.toHaveCSS('background-color', lacking);
  // The keyboard comes only for the box.
  await page.locator('[data-ruling-summary]').tap();
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).not.toBeFocused();
  await page.getByRole('textbox', { name: 'Your ruling' }).tap();
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('As #2 says.');
  await page.getByRole('button', { name: 'Rule and continue' }).tap();
  const unsent = page.locator('[data-unsent]');
  await expect(unsent).toContainText('Thirty seconds');
  // What is told there is not told a second time, and nothing moves.
  const bar = page.locator('[data-ruling-buttons]');
  await expect(bar).toBeHidden();
  await unsent.getByRole('button', { name: 'Undo' }).tap();
  await expect(bar).toBeVisible();
  await page.getByRole('button', { name: 'Rule and continue' }).tap();
  await unsent.getByRole('button', { name: 'Send now' }).tap();
  await expect(page.locator('[data-type=RULING]')).toContainText('As #2 says.');
  expect(await debate.issues()).toMatchObject([{ upheld: true }, { status: 'deferred' }]);
  // The next one is a tap away.
  await page.getByRole('link', { name: /^Next/ }).tap();
  await expect(page.getByText('Everything is agreed.')).toBeVisible();
});

test('while a note is written the buttons stay where they are, and a touch beside it decides what was touched', async ({
  page,
  server,
}) => {
  const debate = await referringDebate(server.url, 6);
  // What the keyboard leaves of a phone.
  await page.setViewportSize({ width: 390, height: 560 });
  await page.goto(debate.url);
  const first = page.locator('[data-decide="I1"]');
  const bar = page.locator('[data-ruling-buttons]');
  const button = bar.getByRole('button', { name: 'Rule and continue' });
  await page.locator('[data-decide="I2"]').getByText('Dismiss').tap();
  await expect(bar.getByText('Proposer')).toBeVisible();
  const whole = (await bar.boundingBox())?.height ?? 0;
  const place = await button.boundingBox();
  await first.getByText('Defer').tap();
  const note = first.getByRole('textbox');
  await note.fill('After the release.');
  await expect(note).toBeFocused();
  // There is no room for more beside the keyboard.
  await expect(bar.getByText('Your decision:')).toBeHidden();
  const brief = (await bar.boundingBox())?.height ?? 0;
  expect(brief).toBeLessThan(110);
  expect(await button.boundingBox()).toEqual(place);
  // What the bar will cover again, once the note is left.
  const dismiss = page.locator('[data-decide="I3"]').getByText('Dismiss');
  await dismiss.evaluate(
    (element, above) => {
      const page = element.closest('.above-bar');
      page?.scrollBy(0, element.getBoundingClientRect().bottom - page.getBoundingClientRect().bottom + above);
    },
    Math.round((brief + whole) / 2),
  );
  const { x = 0, y = 0, width = 0, height: h = 0 } = (await dismiss.boundingBox()) ?? {};
  await page.touchscreen.tap(x + width / 2, y + h / 2);
  await expect(page.locator('[data-decide="I3"]').getByRole('radio', { name: 'Dismiss' })).toBeChecked();
  await expect(bar.getByText('Your decision:')).toBeVisible();
  expect(await button.boundingBox()).toEqual(place);
});
