import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility';
import { IssueDebate, raise } from './support/issueDebate';
import { addVersion, type PlanDebate, planDebate, THIRD } from './support/planDebate';
import { expect, test } from './support/test';

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

const LINE = 'The order is stored twice when a client retries after a timeout, and nobody notices it.';
const QUESTION = `Who removes the copy?\n\n${Array.from({ length: 14 }, (_, n) => `${n + 1}. ${LINE}`).join('\n')}`;
const OPTIONS = [
  { label: 'Keys on the client', detail: `${LINE} ${LINE}` },
  { label: 'A table on the server with the hash of each request', detail: LINE },
  { label: 'Leave it out for now', detail: LINE },
];

/** An appeal as long ones are: much to read, four options, two issues. */
async function longAppeal(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'How an order is kept from being stored twice');
  await debate.claim('opponent', `It is not.\n\n${LINE} `.repeat(6), [
    raise('high', 'A retry stores the order twice', 'src/orders/submit.rs:41'),
    raise('medium', 'Nothing is logged'),
  ]);
  await debate.claim('proposer', `It is.\n\n${LINE} `.repeat(6), [
    { change: 'dispute', issue: 'I1', note: LINE },
  ]);
  await debate.claim('opponent', `It is still not.\n\n${LINE} `.repeat(6), [
    { change: 'reopen', issue: 'I1', note: LINE },
  ]);
  await debate.appealWith(QUESTION, OPTIONS, [
    { change: 'refer', issue: 'I1' },
    { change: 'refer', issue: 'I2' },
  ]);
  return debate;
}

/** All issues are settled, but the opponent has not seen the newest version of the plan. */
async function unseenVersion(server: string): Promise<PlanDebate> {
  const planned = await planDebate(server);
  const { debate, plan } = planned;
  await debate.claim('proposer', 'I3 is left.');
  await debate.claim('opponent', 'Fine.', [{ change: 'defer', issue: 'I3', note: 'Later.' }]);
  await addVersion(server, plan, 'Evict it', `${THIRD}\nOne more.\n`);
  return planned;
}

/** Whether something is in view, and not below the bar. */
async function expectUncovered(page: Page, shown: Locator): Promise<void> {
  await expect(shown).toBeInViewport();
  const [box, bar] = await Promise.all([
    shown.boundingBox(),
    page.locator('[data-ruling-buttons]').boundingBox(),
  ]);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
}

async function expectInView(page: Page): Promise<void> {
  for (const side of ['proposer', 'opponent']) {
    await expect(page.locator(`[data-side=${side}]`)).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeInViewport({ ratio: 1 });
  for (const button of await page.locator('[data-ruling-buttons] button:not([data-term])').all()) {
    await expect(button).toBeInViewport({ ratio: 1 });
  }
}

/** Places do not depend on the colours. */
async function expectNoViolationsInBoth(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(
      (dark) => document.documentElement.classList.contains('dark') === dark,
      colorScheme === 'dark',
    );
    // Until then colours are between both.
    await page.evaluate(async () => {
      await new Promise(requestAnimationFrame);
      const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    });
    await expectNoViolations(page, `${name}-${colorScheme}`);
  }
}

for (const [width, height] of SIZES) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height }, contextOptions: { reducedMotion: 'reduce' } });

    test('an appeal is decided on one screen', async ({ page, server }) => {
      const debate = await longAppeal(server.url);
      await page.goto(debate.url);
      await expect(page.getByText('Who removes the copy?')).toBeInViewport();
      await expect(page.getByRole('button', { name: 'Show all of #5' })).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('radio')).not.toHaveCount(0);
      for (const label of [...OPTIONS.map(({ label }) => label), 'Something else']) {
        await expectUncovered(page, page.locator('label').filter({ hasText: label }));
      }
      await expectInView(page);
      // Each side begins with what it noted on the issues that are asked about.
      for (const side of ['proposer', 'opponent'])
        await expect(page.locator(`[data-side=${side}] p:visible`).nth(1)).toHaveText(`I1: ${LINE}`);
      await expect(page.locator('[data-decides-none]')).toHaveText(
        'No option decides an issue: that is chosen below.',
      );
      await expectNoViolationsInBoth(page, `one-screen-appeal-${width}`);
      // Both sides have the same room, and the letters of the same size.
      const sizes = await page
        .locator('[data-side]')
        .evaluateAll((sides) =>
          sides.map((side) => [side.clientWidth, getComputedStyle(side).fontSize].join(' ')),
        );
      expect(new Set(sizes).size).toBe(1);
      await page.getByRole('radio').first().check();
      await expectInView(page);
      await expect(page.locator('[data-ruling-buttons]')).toHaveAttribute('data-covers', 'true');
      await page.locator('[data-decide="I2"]').scrollIntoViewIfNeeded();
      await expectNoViolationsInBoth(page, `one-screen-issues-${width}`);
    });

    test('a resolution that is not agreed says why, how it went, and closes with no click', async ({
      page,
      server,
    }) => {
      const { debate, plan } = await unseenVersion(server.url);
      await debate.resolution(`Both agree on doc_id=${plan} v4. ${LINE.repeat(9)}`);
      await page.goto(debate.url);
      await expect(page.getByText('The opponent has not seen version 4 of the plan.')).toBeInViewport();
      await expect(page.getByText('3 raised: 2 resolved, 1 deferred')).toBeInViewport({ ratio: 1 });
      await expectInView(page);
      await expect(page.getByRole('button', { name: 'Agreed, close' })).toBeHidden();
      await expectNoViolationsInBoth(page, `one-screen-resolution-${width}`);
      await page.getByText('3 raised: 2 resolved, 1 deferred').click();
      await expect(page.locator('[data-became]')).toHaveCount(3);
      await expect(page.getByRole('region', { name: 'What changed in the plan' })).toContainText(
        'v3 → v4 since the version that the opponent saw',
      );
      // The keys do what the button beside them says.
      await page.getByRole('textbox', { name: 'Your ruling' }).fill('Ask the opponent.');
      await page.keyboard.press('Control+Enter');
      await expect(page.locator('[data-type=RULING]').last()).toContainText('the debate goes on');
    });
  });
}

test('on a resolution that is agreed, the keys close as the button says', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'Fine.', [raise('low', 'A name')]);
  await debate.resolution('We agree.');
  await page.goto(debate.url);
  await expect(page.getByText('Nothing blocks completion.')).toBeVisible();
  await expect(page.getByText('Ctrl + Enter: Agreed, close')).toBeVisible();
  // Nothing is under the bar, so it has no shadow.
  const bar = page.locator('[data-ruling-buttons]');
  await expect(bar).toHaveAttribute('data-covers', 'false');
  // What is written is why it is sent back.
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await box.fill('One more test.');
  await expect(page.locator('[data-follows]')).toContainText(/^If you send it back: .*Proposer /);
  // Only the person knows whether the words ask for more, so the keys ask before they close.
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('One more test.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await box.fill('');
  await box.focus();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('This debate is closed')).toBeVisible();
});

test('the opponent is asked to read a version that it has not seen with one press', async ({
  page,
  server,
}) => {
  const { debate, plan } = await unseenVersion(server.url);
  await debate.resolution(`Both agree on doc_id=${plan} v4.`);
  await page.goto(debate.url);
  const ask = page.getByRole('button', { name: 'Have the opponent read it first' });
  await ask.click();
  await expect(ask).toHaveCount(0);
  const title = 'Version 4 is not agreed: the opponent has to read it first';
  const field = page.getByRole('textbox', { name: /^Title/ });
  await expect(field).toHaveValue(title);
  await expect(field).toBeFocused();
  // It blocks until the opponent has settled it.
  await expect(page.locator('[data-follows]')).toContainText('Proposer has to fix I4');
  await page.getByRole('button', { name: 'Send back' }).click();
  await expect(page.locator('[data-type=RULING]').last()).toContainText(title);
  expect((await debate.issues()).at(-1)).toMatchObject({ title, severity: 'high', location: 'Plan, v4' });
});

test('issues that the appeal refers are decided together, and what is left is asked for by name, once', async ({
  page,
  server,
}) => {
  const debate = await longAppeal(server.url);
  await page.goto(debate.url);
  const all = page.getByRole('combobox', { name: 'Decide all 2…' });
  await all.selectOption('Defer');
  await expect(all.locator('option:checked')).toHaveText('All 2: Defer');
  await expect(page.locator('[data-follows]')).toHaveText('Say why at I1, I2: that is needed.');
  await page.getByRole('textbox', { name: 'Why, for all of them (needed)' }).fill('After the release.');
  for (const id of ['I1', 'I2']) {
    const card = page.locator(`[data-decide="${id}"]`);
    await expect(card.getByRole('radio', { name: 'Defer' })).toBeChecked();
    await expect(card.getByRole('textbox')).toHaveValue('After the release.');
  }
  await expect(page.locator('[data-follows]')).toContainText('Proposer ');
  await page.locator('[data-decide="I2"]').getByText('Leave').click();
  await page.getByRole('radio', { name: 'Keys on the client' }).check();
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('I2 Medium Nothing is logged (Open)');
  await expect(dialog).not.toContainText('I1');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await dialog.getByRole('button', { name: 'Leave and send' }).click();
  await expect(page.locator('[data-seq="6"]')).toContainText('I1 deferred');
  expect(await debate.issues()).toMatchObject([{ status: 'deferred' }, { status: 'open' }]);
});

test('on a screen of 1024 px the plan stands beside the decision, and covers nothing of it', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const { debate } = await planDebate(server.url);
  await debate.appeal('Is the plan good enough?', [], ['Yes', 'No']);
  await page.goto(debate.url);
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeVisible();
  await page.keyboard.press('p');
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await expect(plan.locator('ins').first()).toBeVisible();
  // The list gave way, so the header leads back to it.
  await expect(page.locator('header').getByRole('link', { name: 'Back to the inbox' })).toBeVisible();
  const [left, right] = await Promise.all([
    page.getByRole('region', { name: 'What you decide' }).boundingBox(),
    plan.boundingBox(),
  ]);
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual((right?.x ?? 0) + 1);
  expect(left?.width).toBeGreaterThan(500);
  await page.getByRole('radio', { name: 'Yes' }).check();
  await expectInView(page);
  await expectNoViolations(page, 'plan-beside-1024');
});

test('an option shows what it decides; choosing it sets the cards, which are sent as they are then', async ({
  page,
  server,
}) => {
  const debate = await longAppeal(server.url);
  const decides = [
    [
      { change: 'dismiss', issue: 'I1', note: 'Rare.' },
      { change: 'defer', issue: 'I2', note: 'After the release.' },
    ],
    [{ change: 'uphold', issue: 'I1' }],
  ];
  await page.route(/\/debates\/[0-9a-f-]{36}\?/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const { options = [] } of json.data.arguments ?? []) {
      for (const [index, changes] of decides.entries()) {
        if (options[index] !== undefined) options[index].issue_changes = changes;
      }
    }
    await route.fulfill({ response, json });
  });
  await page.goto(debate.url);
  await expect(page.locator('[data-decides]')).toHaveText([
    'I1 dismissed: “Rare.” · I2 deferred: “After the release.”',
    'I1 upheld: it must be fixed · I2 not decided',
  ]);
  await expect(page.locator('[data-decides-none]')).toHaveText('decides no issue');
  await expect(page.locator('[data-decides]').first()).toHaveAttribute(
    'title',
    'I1 (High): A retry stores the order twice\nI2 (Medium): Nothing is logged',
  );
  // Where there is no room before the options, the chosen one names its issues.
  const titles = page.locator('[data-decided-titles]');
  await page.getByRole('radio', { name: /A table on the server/ }).check();
  await expect(titles).toHaveCount(0);
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole('list', { name: 'The issues that they are about' })).toContainText(
    'Nothing is logged',
  );
  await expect(titles).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(titles).toHaveText('I1 (High): A retry stores the order twiceI2 (Medium): Nothing is logged');
  const card = (id: string) => page.locator(`[data-decide="${id}"]`);
  await expect(card('I1').getByRole('radio', { name: 'Uphold' })).toBeChecked();
  await expect(card('I2').getByRole('radio', { name: 'Leave' })).toBeChecked();
  // The other option takes back what this one set.
  await page.getByRole('radio', { name: /Keys on the client/ }).check();
  await expect(card('I1').getByRole('radio', { name: 'Dismiss' })).toBeChecked();
  const note = card('I2').getByRole('textbox');
  await expect(note).toHaveValue('After the release.');
  await expect(note).toHaveAccessibleName('Note, in the option’s words, I2');
  await expect(card('I1').getByRole('textbox')).toHaveAccessibleName('Note, in the option’s words, I1');
  // Its words go with what it decides, and come back with that.
  await card('I2').getByText('Uphold', { exact: true }).click();
  await expect(note).toHaveCount(0);
  await expect(card('I2')).toContainText('the option says: deferred');
  await card('I2').getByText('Defer', { exact: true }).click();
  await expect(note).toHaveValue('After the release.');
  await expect(page.locator('[data-follows]')).toContainText('Proposer ');
  await expect(page.locator('[data-follows]')).toContainText('· nothing blocks completion');
  await card('I1').getByText('Leave').click();
  await expect(page.locator('[data-ruling-summary]')).toContainText(
    'I2 deferred: “After the release.” · I1 left undecided (“Open”), not dismissed as offered',
  );
  await expect(page.locator('[data-follows]')).toContainText('fixes or disputes I1');
  await expect(page.locator('[data-follows]')).not.toContainText('blocks completion');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await page.getByRole('button', { name: 'Leave and send' }).click();
  await expect(page.locator('[data-seq="6"]')).toContainText('I2 deferred');
  expect(await debate.issues()).toMatchObject([{ status: 'open' }, { status: 'deferred' }]);
});

test('what was said of an issue is not unfolded under the bar', async ({ page, server }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const debate = await longAppeal(server.url);
  await page.goto(debate.url);
  const card = page.locator('[data-decide="I1"]');
  const all = card.getByRole('button', { name: /^All that was said/ });
  // Just above the bar.
  await all.evaluate((button) => button.scrollIntoView({ block: 'end' }));
  await expectUncovered(page, all);
  await all.click();
  await expectUncovered(page, card.getByRole('list', { name: 'History of I1' }).getByRole('listitem').last());
});
