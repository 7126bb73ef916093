import type { Locator, Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { disputedDebate, IssueDebate, raise } from './support/issueDebate';
import { addVersion, type PlanDebate, planDebate, THIRD } from './support/planDebate';
import { expect, openLive, picture, SERVER_UNREACHABLE, test } from './support/test';

const decision = (page: Page) => page.getByRole('region', { name: 'What you decide' });
const row = (page: Page, id: string) => page.locator(`[data-decide="${id}"]`);

/** An appeal on I3 of the debate about a plan, of which it cites the third version and one that there is not. */
async function appealed(server: string): Promise<PlanDebate> {
  const planned = await planDebate(server);
  const { debate, plan } = planned;
  await debate.claim('proposer', 'I3 stays.', [{ change: 'dispute', issue: 'I3', note: 'As #7 says.' }]);
  await debate.claim('opponent', 'I3 matters.', [
    { change: 'reopen', issue: 'I3', note: `Nobody can do step 7 of doc_id=${plan} v3.` },
  ]);
  await debate.appeal(`Is step 7 of doc_id=${plan} v3 needed, or of doc_id=${plan} v9?`, [
    { change: 'refer', issue: 'I3', note: 'It costs a day.' },
  ]);
  return planned;
}

test('the decision has what was asked, what both sides said, its evidence and what changed in the plan', async ({
  page,
  server,
}) => {
  const { debate } = await appealed(server.url);
  await page.goto(debate.url);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await expect(decision(page)).toContainText('Is step 7 of');
  const issue = row(page, 'I3');
  await expect(issue).toContainText('Step 7 says nothing');
  // What each side said last of it stands with it, as that is, and below it what it said before.
  const last = issue.getByRole('list', { name: 'What was said last about I3' }).getByRole('listitem');
  await expect(last).toHaveText([
    /^Proposer#11 ?It costs a day\. #9/,
    /^Opponent#10 ?Nobody can do step 7 of/,
  ]);
  await issue.getByRole('button', { name: /^All that was said \(3\)/ }).click();
  await expect(last).toHaveCount(2);
  await decision(page).getByText('The task, #1').click();
  await expect(decision(page)).toContainText('The plan is Cache the price list v1.');
  await issue.getByText('The evidence: argument #2').click();
  await expect(issue).toContainText('Two faults.');
  // A side's note is its case; what it argued besides is read on demand.
  await expect(decision(page)).not.toContainText('I3 stays.');
  await decision(page).getByText('What each side said last').click();
  const sides = decision(page).getByRole('region', { name: 'What each side said last' });
  await expect(sides.locator('[data-side=proposer]')).toHaveText(/^Proposer#9 ?I3 stays\.$/);
  await expect(sides.locator('[data-side=opponent]')).toHaveText(/^Opponent#10 ?I3 matters\.$/);
  await decision(page).getByText('v2 → v3 since your last ruling').click();
  await expect(decision(page).locator('ins').first()).toBeVisible();
  // The buttons are in view wherever the page is scrolled.
  const button = page.getByRole('button', { name: 'Rule and continue' });
  await expect(button).toBeInViewport({ ratio: 1 });
  await decision(page).evaluate((element) => element.scrollTo(0, 1e6));
  await expect(button).toBeInViewport({ ratio: 1 });
  expect([width, height]).toEqual([1360, 860]);
});

test('what a decision needs is asked for once, also with the panels beside it, and later only where histories are shown and one changed', async ({
  page,
  server,
}) => {
  const { debate } = await appealed(server.url);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // With each new argument the one before it is asked for, to see that it is still there; and before a ruling is sent what is asked then.
    const isCheck = searchParams.has('after_seq') || searchParams.get('limit') === '0';
    const isOfDebate = request.method() === 'GET' && pathname.startsWith(`/debates/${debate.id}`);
    if (isOfDebate && !isCheck) asked.push(pathname);
  });
  await page.goto(debate.url);
  await expect(row(page, 'I3')).toBeVisible();
  await page.getByRole('button', { name: /^Issues/ }).click();
  await page.locator('[data-issue=I3]').getByRole('button', { name: 'History of I3' }).click();
  await expect(page.locator('[data-issue=I3] ol li')).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Plan, v3' }).click();
  await expect(page.getByRole('complementary', { name: 'Plan' }).locator('ins').first()).toBeVisible();
  await row(page, 'I3')
    .getByRole('button', { name: /^All that was said/ })
    .click();
  await row(page, 'I3').getByText('The evidence: argument #2').click();
  await expect(row(page, 'I3')).toContainText('Two faults.');
  const [context, ledger] = [`/debates/${debate.id}`, `/debates/${debate.id}/issues`];
  expect(asked.toSorted()).toEqual([context, ledger]);
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('It is.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await page.getByRole('button', { name: 'Leave and send' }).click();
  await expect(page.locator('[data-type=RULING]').last()).toContainText('It is.');
  // Nothing shows histories any more.
  expect(asked.toSorted()).toEqual([context, ledger]);
  await page.getByRole('button', { name: /^Issues/ }).click();
  await page.locator('[data-issue=I3]').getByRole('button', { name: 'History of I3' }).click();
  await expect(page.locator('[data-issue=I3] ol li')).toHaveCount(4);
  await debate.read();
  await debate.claim('proposer', 'We think about it.');
  await debate.claim('opponent', 'And?');
  await expect(page.locator('[data-type=CLAIM]').last()).toContainText('And?');
  expect(asked.toSorted()).toEqual([context, ledger, ledger]);
  await debate.claim('proposer', 'It is done.', [{ change: 'fix', issue: 'I3' }]);
  await expect(page.locator('[data-issue=I3] ol li')).toHaveCount(5);
  expect(asked.toSorted()).toEqual([context, ledger, ledger, ledger]);
});

test('the changes of a plan that the opponent has not seen begin at what it has seen', async ({
  page,
  server,
}) => {
  const { debate, plan } = await planDebate(server.url);
  await addVersion(server.url, plan, '**Evict** it in `evict.rs`', `${THIRD}\nOne more.\n`);
  await debate.appeal(`Is doc_id=${plan} v4 enough?`);
  await page.goto(debate.url);
  const changes = page.getByRole('region', { name: 'What changed in the plan' });
  await expect(changes).toContainText(
    'v3 → v4 since the version that the opponent saw · “Evict it in evict.rs”',
  );
  // Nobody says that both agree.
  await expect(page.getByText('The opponent has not seen')).toBeHidden();
  await changes.locator('summary').click();
  await expect(changes.locator('[data-change=added]')).toContainText(['One more.']);
  // The notes of all versions between, once it has seen them.
  await debate.rule('It is.');
  await debate.claim('proposer', `See doc_id=${plan} v4.`);
  await addVersion(server.url, plan, 'Two more', `${THIRD}\nOne more.\nTwo more.\n`);
  await debate.claim('opponent', 'Good.');
  await addVersion(server.url, plan, 'Three more', `${THIRD}\nOne more.\nTwo more.\nThree.\n`);
  await debate.appeal(`And doc_id=${plan} v6?`);
  await page.goto(debate.url);
  await expect(changes).toContainText('v4 → v6 since your last ruling · v6: “Three more” · v5: “Two more”');
});

test('what the opponent has not seen is one click away where a resolution warns of it', async ({
  page,
  server,
}) => {
  const { debate, plan } = await planDebate(server.url);
  await addVersion(server.url, plan, 'One more', `${THIRD}\nOne more.\n`);
  await debate.resolution(`We agree on doc_id=${plan} v4.`);
  await page.goto(debate.url);
  await page.getByRole('link', { name: 'Show what changed' }).click();
  const panel = page.getByRole('complementary', { name: 'Plan' });
  await expect(panel.locator('[data-change=added]')).toContainText('One more.');
  await page.goBack();
  await page.goForward();
  await expect(panel).toBeVisible();
});

test('the debate is one click away, and back; a ruling that becomes due does not take it away', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'No.');
  await openLive(page, debate.url);
  await debate.appeal('Which?');
  await expect(page.locator('[data-seq="3"]')).toBeVisible();
  await expect(decision(page)).toBeHidden();
  await page.getByRole('link', { name: 'Decide' }).click();
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
  await page.getByRole('link', { name: 'Read the debate' }).click();
  await expect(page.locator('[data-seq="2"]')).toBeVisible();
  await expect(page).toHaveURL(`${debate.url}#3`);
  // A panel or the documents beside it change nothing.
  await page.keyboard.press('d');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-seq="2"]')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Left.');
  await page.getByRole('link', { name: 'Go to argument #3' }).click();
  await expect(page.locator('[data-seq="3"].highlight')).toBeVisible();
});

test('a decision on an issue needs no text, and an issue can be regraded', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(`${debate.url}#2`);
  await expect(page.locator('[data-seq="2"]')).toBeVisible();
  await page.getByRole('link', { name: 'Decide' }).click();
  const send = page.getByRole('button', { name: 'Rule and continue' });
  await send.click();
  await expect(page.getByText('Say in words')).toBeVisible();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await row(page, 'I2').getByText('Regrade').click();
  const severity = row(page, 'I2').getByRole('combobox', { name: 'Severity' });
  await expect(severity).toHaveValue('medium');
  await expect(severity.getByRole('option')).toHaveText(['Critical', 'Medium', 'Low']);
  await severity.selectOption('low');
  await expect(page.getByText('Say in words')).toBeHidden();
  await send.click();
  const ruling = page.locator('[data-seq="8"]');
  await expect(ruling).toContainText('See the decisions on the issues.');
  // What was decided is shown, not what was read before.
  await expect(ruling).toBeInViewport();
  await expect(ruling.locator('[data-change]')).toContainText(['I2 regraded']);
  expect((await debate.issues())[1]).toMatchObject({ severity: 'low', referred: false });
});

test('what is deferred needs a reason, and is opened again by a later ruling', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  const send = page.getByRole('button', { name: 'Rule and continue' });
  // What was missing before says nothing of what is asked for since.
  await send.click();
  await expect(page.getByText('Say in words')).toBeVisible();
  await row(page, 'I2').getByText('Defer').click();
  const why = row(page, 'I2').getByRole('textbox', { name: 'Why (needed), I2' });
  await expect(why).toBeFocused();
  await expect(row(page, 'I2').getByText('Say why')).toBeHidden();
  await why.fill(' ');
  await expect(row(page, 'I2').getByText('Say why')).toBeHidden();
  await send.click();
  await expect(row(page, 'I2').getByText('Say why')).toBeVisible();
  await expect(why).toBeFocused();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await why.fill('After the release.');
  await send.click();
  await expect(page.locator('[data-seq="8"] [data-change]')).toContainText('After the release.');
  expect((await debate.issues())[1]).toMatchObject({ status: 'deferred', deferred_by: 'arbitrator' });

  await debate.appeal('Now after all?');
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Show 1 more issue' }).click();
  await row(page, 'I2').getByText('Reopen').click();
  await row(page, 'I2').getByRole('textbox', { name: 'Why (needed), I2' }).fill('It is due.');
  await send.click();
  await expect(page.locator('[data-seq="10"] [data-change]')).toContainText('It is due.');
  expect((await debate.issues())[1]).toMatchObject({ status: 'open' });
});

test('a fix can be left to the opponent or be enough, and code is shown as code', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url, 'Use `select!`');
  await debate.claim('opponent', 'One.', [raise('high', 'The call to `poll` may **block**')]);
  await debate.claim('proposer', 'Fixed.', [
    { change: 'fix', issue: 'I1', note: 'A `timeout` around src/**/*.rs' },
  ]);
  await debate.claim('opponent', 'Which?');
  await debate.appeal('Is it enough?', [{ change: 'refer', issue: 'I1' }], ['Yes', 'No']);
  await page.goto(debate.url);
  const radio = (name: string) => row(page, 'I1').getByRole('radio', { name });
  await expect(radio('Leave')).toBeChecked();
  await expect(radio('Dismiss')).not.toBeChecked();
  await expect(row(page, 'I1')).toContainText('the opponent checks the fix');
  // What is chosen stands out from what is not.
  const background = (name: string) =>
    radio(name).evaluate((input) => getComputedStyle(input.closest('label') as Element).backgroundColor);
  expect(await background('Leave')).not.toBe(await background('Dismiss'));
  await expect(row(page, 'I1').locator('h4 code')).toHaveText('poll');
  await expect(row(page, 'I1').locator('h4 strong')).toHaveText('block');
  const proposer = decision(page).locator('[data-side=proposer]');
  await expect(proposer.locator('code')).toHaveText('timeout');
  await expect(proposer).toContainText('src/**/*.rs');
  await row(page, 'I1')
    .getByText(/^All that was said/)
    .click();
  await expect(row(page, 'I1').locator('li code')).toHaveText('timeout');
  await expect(row(page, 'I1')).toContainText('src/**/*.rs');
  await page.getByRole('radio', { name: 'Yes' }).check();
  await expect(page.locator('[data-ruling-summary]')).toHaveText(
    'Your decision: Yes · I1 left undecided (“Fixed, unchecked”)',
  );
  await expect(page.getByRole('heading', { level: 1 }).locator('code')).toHaveText('select!');
});

test('a ruling shows its decisions with severity, title and note', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  await row(page, 'I2').getByText('Uphold').click();
  await row(page, 'I2').getByRole('button', { name: 'Add a note' }).click();
  await row(page, 'I2').getByRole('textbox').fill('At most 30 s.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  const change = page.locator('[data-seq="8"] [data-change]');
  await expect(change).toContainText('High');
  await expect(change).toContainText('No upper bound for the delay');
  await expect(change).toContainText('At most 30 s.');
  await picture(page, 'ruling-with-notes');
  // Raised ones, too.
  await page.goto(`${debate.url}#2`);
  await expect(page.locator('[data-seq="2"] [data-change]').first()).toContainText(
    'I1 raisedCriticalA retry after a timeout',
  );
});

test('a citation is the title and version of its document; one that is not there keeps its words', async ({
  page,
  server,
}) => {
  const { debate, plan } = await appealed(server.url);
  await page.goto(debate.url);
  const cited = decision(page).getByRole('link', { name: 'Cache the price list v3' });
  await expect(cited.first()).toHaveAttribute('title', `doc_id=${plan} v3`);
  await expect(decision(page).locator('a.unknown-citation')).toContainText(`doc_id=${plan} v9`);
  await cited.first().click();
  await expect(page.getByRole('complementary', { name: 'Plan' })).toContainText('until it changes');
});

test.describe('after a ruling', () => {
  test.use({ sendsAtOnce: false });

  test('the next debate that waits is offered, by a link and by a key, until nothing else waits', async ({
    page,
    server,
  }) => {
    const debates: IssueDebate[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      const debate = await IssueDebate.create(server.url, title);
      await debate.claim('opponent', 'No.');
      await debate.appeal('Which?');
      debates.push(debate);
    }
    const next = page.getByRole('link', { name: /^Next:/ });
    const rule = async () => {
      await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
      await expect(next).toBeHidden();
      await page.keyboard.press('Control+Enter');
    };
    await page.goto(debates[0]?.url ?? '');
    await rule();
    await expect(next).toHaveAccessibleName('Next: Two · 1 more waits');
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.locator('[data-seq="4"]')).toBeVisible();
    await next.click();
    await expect(page).toHaveURL(debates[1]?.url ?? '');
    await expect(decision(page)).toContainText('Which?');

    // Whatever the list leaves out, and not with the focus on what takes the former ruling back.
    await page.getByRole('textbox', { name: 'Search titles and texts' }).fill('One');
    await expect(page.locator('[data-debate]')).toHaveCount(1);
    await rule();
    await expect(next).toHaveAccessibleName('Next: Three');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('n');
    await expect(page).toHaveURL(debates[2]?.url ?? '');
    await expect(decision(page)).toBeFocused();

    const none = page.getByText('Nothing else waits');
    await expect(none).toBeHidden();
    await rule();
    await expect(none).toBeVisible();
    await picture(page, 'nothing-else-waits');
    await IssueDebate.create(server.url, 'Four').then(async (debate) => {
      await debate.claim('opponent', 'No.');
      await debate.appeal('Which?');
    });
    await expect(next).toHaveAccessibleName('Next: Four');
  });

  test('that nothing else waits is not said of a ruling that was refused while this debate waits', async ({
    page,
    server,
  }) => {
    const debate = await IssueDebate.create(server.url);
    await debate.claim('opponent', 'No.');
    await debate.appeal('Which?');
    await openLive(page, debate.url);
    await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
    await page.keyboard.press('Control+Enter');
    const none = page.getByText('Nothing else waits');
    await expect(none).toBeVisible();
    await debate.rule('Right.');
    await debate.appeal('And then?');
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.locator('[data-unsent]')).toContainText('Ruled elsewhere; yours was not sent');
    await expect(page.getByRole('link', { name: 'Decide', exact: true })).toBeVisible();
    await expect(none).toBeHidden();
  });

  test.describe('without the server', () => {
    test.use({ allowedErrors: SERVER_UNREACHABLE });

    test('it is not said that nothing else waits, as that is not known', async ({ page, server }) => {
      const debate = await IssueDebate.create(server.url);
      await debate.claim('opponent', 'No.');
      await debate.appeal('Which?');
      await openLive(page, debate.url);
      await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
      await page.keyboard.press('Control+Enter');
      const none = page.getByText('Nothing else waits');
      await expect(none).toBeVisible();
      await server.stop();
      await expect(none).toBeHidden();
      await server.startAgain();
      await expect(none).toBeVisible({ timeout: 30_000 });
    });
  });

  test('what waits to be sent covers nothing on a phone', async ({ page, server }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const debate = await disputedDebate(server.url);
    await page.goto(debate.url);
    await row(page, 'I2').getByText('Dismiss').click();
    await page.keyboard.press('Control+Enter');
    await expect(page.locator('[data-unsent]')).toBeVisible();
    const boxes = ['Undo', 'Send now'].map((name) => page.getByRole('button', { name }).boundingBox());
    const [undo, now] = await Promise.all(boxes);
    expect(now?.y).toBe(undo?.y);
    // One line.
    expect((await page.locator('[data-unsent]').boundingBox())?.height).toBeLessThan(66);
    await page.getByRole('heading', { level: 1 }).click({ trial: true });
    // What is told here is not told a second time.
    await expect(page.locator('[data-ruling-buttons]')).toBeHidden();
  });

  test('on the smallest phone it has one line and tells the rest on demand, and titles wrap', async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    const long = 'How often an order is submitted again after a timeout';
    const debates: IssueDebate[] = [];
    for (const title of ['Retry policy for orders that a client has sent twice', long]) {
      const debate = await IssueDebate.create(server.url, title);
      await debate.claim('opponent', 'No.');
      await debate.appeal('Which?');
      debates.push(debate);
    }
    // While the page loads, a title may be replaced: it is measured until one holds.
    const wraps = (title: Locator) =>
      expect(async () => {
        const { lines, cut } = await title.evaluate((element) => ({
          lines: element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
          cut: element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth,
        }));
        expect(Math.round(lines)).toBeGreaterThan(1);
        expect(cut).toBe(false);
      }).toPass({ timeout: 10_000 });
    await page.goto(debates[0]?.url ?? '');
    await wraps(page.getByRole('heading', { level: 1 }));
    await page.goto(`${server.url}/?list`);
    await wraps(page.locator('[data-debate] > span').filter({ hasText: long }));
    await page.goto(server.url);
    await wraps(page.getByRole('heading', { name: long }));

    await page.getByRole('textbox', { name: 'Your ruling' }).fill('Not more than twice.');
    await page.keyboard.press('Control+Enter');
    const waiting = page.locator('[data-unsent]');
    await expect(waiting.getByRole('button', { name: 'Undo' })).toBeInViewport({ ratio: 1 });
    await expect(waiting.getByRole('button', { name: 'Send now' })).toBeInViewport({ ratio: 1 });
    expect((await waiting.boundingBox())?.height).toBeLessThan(66);
    await picture(page, 'waiting-tiny');
    // What is sent is not cut where there is room for it.
    await page.setViewportSize({ width: 390, height: 844 });
    const cut = () =>
      waiting.locator('[data-sending]').evaluate((line) => {
        const text = document.createRange();
        text.selectNodeContents(line);
        return text.getBoundingClientRect().width - line.getBoundingClientRect().width;
      });
    await expect.poll(cut).toBeLessThan(0.01);
    const effect = waiting.locator('p').filter({ hasText: 'It goes on' });
    await expect(effect).toBeHidden();
    await waiting.getByRole('button', { name: /^It goes on ?Retry policy/ }).click();
    await expect(effect).toBeVisible();
    await expect(waiting).toContainText('Not more than twice.');
  });
});

for (const [name, colorScheme, viewport, locale] of [
  ...APPEARANCES,
  ['tiny', 'light', { width: 320, height: 568 }, 'en-US'],
  ['large', 'dark', { width: 1440, height: 900 }, 'en-US'],
] as const) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('the decision shows its question first, is as wide as the page, and has no violations', async ({
      page,
      server,
    }) => {
      const { debate, plan } = await appealed(server.url);
      await addVersion(server.url, plan, 'Not cited', '# Other');
      await page.goto(debate.url);
      await expect(page.locator('[data-decide="I3"]')).toBeVisible();
      await expect(page.locator('.prose').first()).toBeInViewport({ ratio: 1 });
      await page.locator('section > details > summary').click();
      await expect(page.locator('ins').first()).toBeAttached();
      await page.locator('[data-decide="I3"] label').nth(4).click();
      await page.locator('form > fieldset > section button').last().click();
      await page.locator('[data-decide="I3"] button[aria-expanded]').click();
      await page.locator('[data-decide="I3"] summary').click();
      await expect(page.locator('[data-decide="I3"] .prose')).toBeVisible();
      const overflow = await page
        .locator('section[tabindex="0"]')
        .first()
        .evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBe(0);
      await expectNoViolations(page, `${name}-decision`);
      await page.locator('form textarea').last().scrollIntoViewIfNeeded();
      await expectNoViolations(page, `${name}-decision-end`);
    });
  });
}

test('what a resolution decided by itself is told once, and taken into the ruling with a click', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'One.', [raise('low', 'A name')]);
  await debate.resolution('All is agreed.\n\n## Decided for you\n\n- Keys live a day.\n\nThe end.');
  await page.goto(debate.url);
  await expect(page.getByText('Keys live a day.')).toHaveCount(1);
  await expect(page.getByText('The end.')).toBeVisible();
  await page.getByRole('button', { name: 'Take into the ruling: Keys live a day.' }).click();
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('- Keys live a day.');
});
