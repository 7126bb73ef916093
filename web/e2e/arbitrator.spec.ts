import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { disputedDebate, IssueDebate, raise, referringDebate } from './support/issueDebate';
import { addVersion, planDebate, THIRD } from './support/planDebate';
import { createDebate } from './support/rest';
import { expect, test } from './support/test';

const card = (page: Page, id: string) => page.locator(`[data-decide="${id}"]`);
const summary = (page: Page) => page.locator('[data-ruling-summary]');

/** An appeal on I1, of which the first option defers it with a reason. */
async function deferring(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Retry policy');
  await debate.claim('opponent', 'One fault.', [raise('high', 'No upper bound')]);
  await debate.claim('proposer', 'It is none.', [{ change: 'dispute', issue: 'I1', note: 'Rare.' }]);
  await debate.claim('opponent', 'It is.', [{ change: 'reopen', issue: 'I1', note: 'Not rare.' }]);
  await debate.appealWith(
    'Now or later?',
    [
      { label: 'Later', issue_changes: [{ change: 'defer', issue: 'I1', note: 'not before the backfill' }] },
      { label: 'Now', issue_changes: [{ change: 'uphold', issue: 'I1' }] },
    ],
    [{ change: 'refer', issue: 'I1' }],
  );
  return debate;
}

test('what departs from the option is said and marked, and its words are never sent with another decision', async ({
  page,
  server,
}) => {
  const debate = await deferring(server.url);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: 'Later' }).check();
  await expect(summary(page)).toContainText('I1 deferred: “not before the backfill”');
  await card(page, 'I1').getByText('Uphold', { exact: true }).click();
  await expect(summary(page)).toContainText('I1 upheld, not deferred as offered');
  await expect(page.locator('[data-decides] del')).toHaveText('I1 deferred: “not before the backfill”');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="6"] [data-change]')).toContainText('upheld');
  expect((await debate.issues())[0]).toMatchObject({ upheld: true, note: null });
});

test('what was decided or written before an option is chosen stays, and departs from it', async ({
  page,
  server,
}) => {
  const debate = await deferring(server.url);
  await page.goto(debate.url);
  const option = (name: string) => page.getByRole('radio', { name });
  const note = card(page, 'I1').getByRole('textbox');
  await option('Later').check();
  await note.fill('After the audit.');
  await option('Now').check();
  await expect(summary(page)).toHaveText('Your decision: Now · I1 upheld: “After the audit.”');
  await option('Later').check();
  await expect(note).toHaveValue('After the audit.');
  await card(page, 'I1').getByText('Dismiss', { exact: true }).click();
  for (const [name, offered] of [
    ['Now', 'upheld'],
    ['Later', 'deferred'],
  ] as const) {
    await option(name).check();
    await expect(summary(page)).toHaveText(
      `Your decision: ${name} · I1 dismissed, not ${offered} as offered: “After the audit.”`,
    );
  }
  await expect(page.locator('[data-decides] del')).toHaveText('I1 deferred: “not before the backfill”');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="6"] [data-change]')).toContainText('dismissed');
  expect((await debate.issues())[0]).toMatchObject({ status: 'dismissed', note: 'After the audit.' });
});

test('a common reason is not sent with another decision, and what is regraded stays as it is', async ({
  page,
  server,
}) => {
  const debate = await referringDebate(server.url, 3);
  await page.goto(debate.url);
  await page.getByRole('combobox', { name: 'Decide all 3…' }).selectOption('Defer');
  await page.getByRole('textbox', { name: 'Why, for all of them' }).fill('Next release');
  await card(page, 'I1').getByText('Uphold', { exact: true }).click();
  await card(page, 'I2').getByText('Regrade', { exact: true }).click();
  await expect(summary(page)).toHaveText(
    'Your decision: I1 upheld · I2 regraded to Low, still “Open” · I3 deferred: “Next release”',
  );
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-unsent], [data-sent]').first()).toBeVisible();
  await expect
    .poll(async () => (await debate.issues()).map(({ note }) => note))
    .toEqual([null, null, 'Next release']);
});

test('after a click on the texts of the bar, what is typed is text', async ({ page, server }) => {
  const debate = await referringDebate(server.url, 2, ['All', 'None']);
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  for (const address of [debate.url, server.url]) {
    await page.goto(address);
    await page.getByRole('radio', { name: 'None' }).check();
    for (const text of [summary(page), page.locator('[data-follows] p'), page.getByText('Ctrl + Enter:')]) {
      await box.fill('');
      await box.blur();
      await text.click();
      await expect(box).toBeFocused();
      await page.keyboard.type('1iuda');
      await expect(box).toHaveValue('1iuda');
      await expect(page.getByRole('radio', { name: 'None' })).toBeChecked();
    }
    // A text can be selected and copied all the same, and a control keeps its focus.
    await box.blur();
    const { x, y, width, height } = (await summary(page).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    await page.mouse.move(x + 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + Math.min(width, 60), y + height / 2);
    await page.mouse.up();
    await expect(box).not.toBeFocused();
    expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('');
    await page.getByRole('button', { name: 'How to ask a side' }).click();
    await expect(box).not.toBeFocused();
    await page.keyboard.press('Escape');
    await box.fill('');
  }
});

test('an appeal that comes after another one begins without what an option of that one decided', async ({
  page,
  server,
}) => {
  const debate = await deferring(server.url);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: 'Later' }).check();
  await expect(card(page, 'I1').getByRole('radio', { name: 'Defer' })).toBeChecked();
  await page.goto(`${server.url}/?docs`);
  await debate.rule('Go on.');
  await debate.appeal('And now?', [{ change: 'refer', issue: 'I1' }], ['Yes', 'No']);
  await page.goto(debate.url);
  await expect(card(page, 'I1').getByRole('radio', { name: 'Leave' })).toBeChecked();
});

test.describe('while a ruling waits', () => {
  test.use({ sendsAtOnce: false });

  for (const viewport of [
    { width: 1360, height: 860 },
    { width: 390, height: 844 },
  ]) {
    test(`its notice moves nothing that is read, and a double click does not undo it, ${viewport.width} px`, async ({
      page,
      server,
    }) => {
      await page.setViewportSize(viewport);
      const debate = await disputedDebate(server.url);
      await page.clock.install();
      await page.goto(debate.url);
      await page.getByRole('textbox', { name: 'Your ruling' }).fill('Bound it.');
      const tops = () =>
        page
          .locator('h1, [data-side], [data-decide] h4')
          .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().top)));
      await expect(page.locator('[data-follows] p').first()).toBeVisible();
      await card(page, 'I2').getByText('Dismiss').click();
      const before = await tops();
      // By its place: Playwright would scroll the page for a button that stays at its end.
      const button = await page.getByRole('button', { name: 'Rule and continue' }).boundingBox();
      await page.mouse.dblclick((button?.x ?? 0) + 20, (button?.y ?? 0) + 20);
      const notice = page.locator('[data-unsent]');
      await expect(notice).toBeVisible();
      expect(await tops()).toEqual(before);
      await notice.getByRole('button', { name: 'Send now' }).click();
      const sent = page.locator('[data-sent]');
      await expect(sent).toContainText('Sent: your ruling is #8');
      await expect(sent).toContainText('Retry policy');
      // The header says who has the turn, and nothing covers it.
      await page.getByRole('list', { name: 'What both sides are doing' }).click({ trial: true });
      // It does not go by itself under somebody's hand.
      await page.clock.fastForward(60_000);
      await expect(sent).toBeVisible();
      await sent.getByRole('button', { name: 'Hide this notice' }).click();
      await expect(sent).toBeHidden();
    });
  }
});

test('both ways out of a request to finish tell what follows, before anything is written', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'Fine.');
  await debate.resolution('We agree.');
  await page.goto(debate.url);
  const follows = page.locator('[data-follows]');
  await expect(follows).toContainText(/If you send it back: .*Proposer /);
  await expect(follows).toContainText('If you close: nobody can write any more');
  // The button is named as it stands there.
  const help = page.getByRole('button', { name: 'How to ask a side' });
  await expect(help).toHaveAttribute('aria-description', /press “Send back”/);
});

test('a new issue has its id at its form, as what follows names it', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  await page.getByRole('button', { name: 'Raise an issue' }).click();
  const forms = page.locator('[data-new-issue] legend');
  await expect(forms).toHaveText([/^I7\s*New issue$/, /^I8\s*New issue$/]);
  await expect(page.locator('[data-follows]')).toContainText('has to fix I7, I8');
});

test('a short plan opens with all of its lines beside what changed', async ({ page, server }) => {
  const { debate, plan } = await planDebate(server.url);
  const lines = Array.from({ length: 9 }, (_, n) => `Line ${n + 1} says one thing.`).join('\n\n');
  await addVersion(server.url, plan, 'More', `${THIRD}\n\n${lines}`);
  await addVersion(server.url, plan, 'Most', `${THIRD}\n\n${lines} And more.`);
  await debate.appeal(`Is doc_id=${plan} v5 enough?`);
  await page.goto(`${debate.url}?plan&view=changes&from=4`);
  const panel = page.getByRole('complementary', { name: 'Plan' });
  await expect(panel.locator('ins').first()).toBeVisible();
  await expect(panel.getByText('Line 1 says one thing.')).toBeVisible();
  await expect(panel.getByRole('button', { name: /unchanged/ })).toHaveCount(0);
});

test('a hit is marked in the text that it leads to, also where that was folded', async ({ page, server }) => {
  const long = `${'No second thing to find here.\n\n'.repeat(60)}A leap second ends it.`;
  const debate = await IssueDebate.create(server.url, 'Clocks');
  await debate.claim('opponent', long);
  await debate.claim('proposer', 'Seen.');
  await page.goto(server.url);
  await page.getByRole('textbox', { name: 'Search titles and texts' }).fill('leap second');
  await page.locator('[data-hit=argument]').click();
  await expect(page.locator('[data-seq="2"]').getByText('A leap second ends it.')).toBeInViewport({
    ratio: 1,
  });
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => range.toString()));
  await expect.poll(marked).toEqual(['leap second']);
  // Whoever leaves the debate and comes back has not searched for it.
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.goBack();
  await expect(page.locator('[data-seq="2"]')).toBeVisible();
  expect(await marked()).toEqual([]);
});

test('the words about a silent side open what may be done', async ({ page, server }) => {
  const { id, motion } = await createDebate(server.url, 'Silence', 'Motion');
  await page.routeWebSocket(/\/ws/, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((message) => {
      socket.send(message);
      if (JSON.parse(String(message)).event !== 'initial_state') return;
      const silent = [{ role: 'proposer', since: new Date(Date.now() - 900_000).toISOString() }];
      socket.send(JSON.stringify({ event: 'presence', data: { debate_id: id, waiting: [], silent } }));
    });
  });
  await page.goto(`${server.url}/d/${id}`);
  await page.locator('[data-silent=proposer]').click();
  await expect(page.getByRole('menu')).toContainText('Proposer is silent');
  await expect(page.getByRole('menuitem', { name: 'Command: wait as proposer' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-silent=proposer]')).not.toContainText('seat free');

  // Where the other side has taken its seat, one that is free was freed, or is still to be taken.
  const argument = { role: 'opponent', target_id: motion, content: 'No.', client_request_id: randomUUID() };
  const answer = await fetch(`${server.url}/debates/${id}/arguments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-debate-seat': 'k'.repeat(43) },
    body: JSON.stringify(argument),
  });
  expect(answer.status).toBe(201);
  await page.reload();
  await expect(page.locator('[data-silent=proposer]')).toContainText('seat free');
});

test('an option of a folded card in the inbox begins the ruling with it', async ({ page, server }) => {
  await disputedDebate(server.url);
  const debate = await deferring(server.url);
  await page.goto(server.url);
  const inbox = page.locator(`[data-card="${debate.id}"]`);
  await expect(inbox).toHaveAttribute('data-active', 'false');
  await inbox.getByRole('button', { name: 'Begin the ruling with: Later' }).click();
  await expect(inbox.getByRole('radio', { name: 'Later' })).toBeChecked();
  await expect(inbox.getByRole('radio', { name: 'Defer', exact: true })).toBeChecked();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('whatever is pressed is as large as a finger, apart from words in a line of text', async ({
    page,
    server,
  }) => {
    const debate = await disputedDebate(server.url);
    const { debate: planned } = await planDebate(server.url);
    await planned.appeal('Enough?', [], ['Yes', 'No']);
    const views = [server.url, debate.url, `${debate.url}#2`, `${planned.url}?plan`, `${server.url}/?list`];
    for (const view of views) {
      await page.goto(view);
      await page.waitForLoadState('networkidle');
      const small = await page
        .locator(
          'button:visible, summary:visible, select:visible, textarea:visible, label:has(input):visible',
        )
        .evaluateAll((all) =>
          all
            .filter((element) => !element.closest('[data-term], .prose, .sr-only'))
            .map((element) => ({ height: element.getBoundingClientRect().height, html: element.outerHTML }))
            .filter(({ height }) => height > 1 && height < 43.5)
            .map(({ height, html }) => `${height} ${html.slice(0, 160)}`),
        );
      expect(small, view).toEqual([]);
    }
  });
});
