import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility';
import { IssueDebate, raise } from './support/issueDebate';
import { expect, picture, test } from './support/test';

const changes = (change: string, ...ids: string[]) => ids.map((issue) => ({ change, issue }));

const TITLES = [
  'Prices of two requests are mixed',
  'A crash leaves half an index',
  'No limit for the size of a query',
  'The lock is held while it waits',
  'Metrics have no unit',
  'The name of the table says nothing',
  'Old entries are never removed, neither by age nor by size, so that a disk of a small machine fills up in weeks',
  'Readers see an empty result for a moment',
  'The time-out is not configurable',
  'Logs have the text of queries',
  'The tests sleep',
  'No word on how it is undone',
];
/** What each of two options makes of them. */
const IN_SHORT = [
  /^5\supheld · 2\sdismissed · I7\sdeferred: Old entries are never removed, .{20,40}… · 4\snot\sdecided$/,
  /^12\supheld$/,
];
const IDS = TITLES.map((_, index) => `I${index + 1}`);

/** An appeal that refers twelve issues, of which its first option leaves four; both sides said something of each. */
async function twelveIssues(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Search');
  await debate.claim(
    'opponent',
    'Twelve.',
    TITLES.map((title, index) => ({
      ...raise(index < 4 ? 'high' : 'medium', title),
      note: 'Seen in a load test.',
    })),
  );
  await debate.claim(
    'proposer',
    'None of them.',
    IDS.map((issue) => ({ change: 'dispute', issue, note: 'It is rare.' })),
  );
  await debate.claim('opponent', 'All of them.');
  await debate.appealWith(
    'What is fixed first?',
    [
      {
        label: 'The index first',
        issue_changes: [
          ...changes('uphold', 'I1', 'I2', 'I3', 'I4', 'I8'),
          ...changes('dismiss', 'I5', 'I6'),
          { change: 'defer', issue: 'I7', note: 'after Friday' },
        ],
      },
      { label: 'All of it', issue_changes: changes('uphold', ...IDS) },
    ],
    changes('refer', ...IDS),
  );
  return debate;
}

/** The cards of issues that a table has are shown on demand. */
const unfoldCards = (page: Page, name = 'Decide issue by issue') =>
  page.getByRole('button', { name }).click();
const card = (page: Page, id: string) => page.locator(`[data-decide="${id}"]`);
const compared = (page: Page, id: string) => page.locator(`[data-compared-issue="${id}"]`);

/** What of the table is cut or wider than its place, apart from labels of options, which are told above it. */
const cutIn = (page: Page) =>
  page
    .locator('[data-compared] tbody *, [data-compared]')
    .evaluateAll((all) =>
      all.flatMap((element) =>
        element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 ? element.textContent : [],
      ),
    );

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test(`options are compared issue by issue, with a ruling that departs from one, ${width} px`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    const debate = await twelveIssues(server.url);
    await page.goto(debate.url);
    const table = page.getByRole('table', { name: 'What each option decides' });
    await expect(page.getByRole('radio', { name: /All of it/ })).toBeVisible();
    // What the words mean is said before one is chosen.
    await expect(page.locator('[data-change-legend]')).toHaveText(
      'upheld: it must be fixed · dismissed: settled for good · deferred: right, but it can wait',
    );
    // What differs stands first, all else on demand.
    const rows = [4, 5, 6, 8, 9, 10, 11, 0, 1, 2, 3, 7].map(
      (index) => `I${index + 1} ${index < 4 ? 'High' : 'Medium'} ${TITLES[index]}`,
    );
    await expect(table.getByRole('rowheader')).toHaveText(rows.slice(0, 7));
    await table.getByRole('button', { name: '5 the same in all: I1–I4, I8 upheld', expanded: false }).click();
    await expect(table.getByRole('rowheader')).toHaveText(rows);
    // An option says what it decides in short, and the table what the issues are about.
    await expect(page.locator('[data-decided-in-short]')).toHaveText(IN_SHORT);
    await expect(page.locator('[data-decides]')).toHaveCount(0);
    await expect(compared(page, 'I1').getByRole('cell')).toHaveText(['Uphold', 'Uphold']);
    await expect(compared(page, 'I1')).toHaveAttribute('data-same', 'true');
    // So that a screen has all of many issues, the reasons are told on demand.
    await expect(compared(page, 'I7').getByRole('cell')).toHaveText(['Defer', 'Uphold']);
    await page.getByRole('button', { name: 'Show the reasons', expanded: false }).click();
    await expect(compared(page, 'I7').getByRole('cell')).toHaveText(['Defer', 'Uphold', '1: “after Friday”']);
    await page.getByRole('button', { name: 'Hide the reasons', expanded: true }).click();
    await expect(compared(page, 'I7').getByRole('cell')).toHaveText(['Defer', 'Uphold']);
    await expect(compared(page, 'I7')).toHaveAttribute('data-same', 'false');
    await expect(compared(page, 'I9').getByRole('cell')).toHaveText(['not decided', 'Uphold']);

    await page.reload();
    await expect(table.getByRole('rowheader')).toHaveCount(7);

    // All that is needed to decide is in view without scrolling.
    const needed = [
      page.getByText('What is fixed first?'),
      page.locator('[data-side=proposer]'),
      page.locator('[data-side=opponent]'),
      ...['The index first', 'All of it', 'Something else'].map((label) =>
        page.locator('label').filter({ hasText: label }),
      ),
      page.getByRole('textbox', { name: 'Your ruling' }),
      page.getByRole('button', { name: 'Rule and continue' }),
    ];
    for (const each of needed) await expect(each).toBeInViewport({ ratio: 1 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /dark/ : /^((?!dark).)*$/);
      await picture(page, `options-${width}-${colorScheme}`);
    }

    await page.getByRole('radio', { name: 'The index first' }).check();
    await expect(table.getByRole('columnheader', { name: /chosen/ })).toHaveText(/1.*The index first/);
    await expect(page.locator('[data-follows]')).toContainText('Proposer has to fix I1–I4, I8');
    await expectNoViolations(page, `options-chosen-${width}`);

    expect(await cutIn(page)).toEqual([]);

    await page.getByRole('button', { name: 'I5: Uphold (2)' }).click();
    await expect(table.locator('del')).toHaveText('Dismiss');
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await page.getByRole('button', { name: 'Leave and send' }).click();
    // The difference is told as long as the debate is.
    const ruling = page.locator('[data-seq="6"]');
    await expect(ruling).toContainText('Chose: The index first');
    await expect(ruling.locator('[data-departs]')).toHaveText('I5 upheld, where the option said dismissed');
    await expect(page.locator('[data-seq="5"] [data-decides]').first()).toContainText('I5, I6 dismissed');
    await picture(page, `options-ruled-${width}`);
  });
}

async function heightOfCards(page: Page): Promise<number | undefined> {
  // Those that were not in view yet have only a guess for a height.
  for (const each of await page.locator('[data-decide]').all()) await each.scrollIntoViewIfNeeded();
  return (await page.locator('ul:has(> [data-decide])').boundingBox())?.height;
}

for (const [width, height, most] of [
  [1440, 900, 1300],
  [390, 844, 2200],
] as const) {
  test(`twelve issues take at most ${most} px at ${width} px, and a note is asked for where it is needed`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    const debate = await twelveIssues(server.url);
    await page.goto(debate.url);
    const cards = page.locator('[data-decide]');
    await page.getByRole('radio', { name: /All of it/ }).check();
    await expect(cards).toHaveCount(0);
    await unfoldCards(page);
    await expect(cards.getByRole('radio', { name: 'Uphold', checked: true })).toHaveCount(12);
    await expect(cards.getByRole('textbox')).toHaveCount(0);
    expect(await heightOfCards(page)).toBeLessThanOrEqual(most);
    const least = width < 640 ? 44 : 24;
    const low = await cards.locator('label, button:not([data-term])').evaluateAll(
      (all, least) =>
        all.flatMap((each) => {
          const { height } = each.getBoundingClientRect();
          return height < least ? `${each.textContent} ${height}` : [];
        }),
      least,
    );
    expect(low).toEqual([]);
    await cards.first().scrollIntoViewIfNeeded();
    await picture(page, `twelve-issues-${width}`);

    await page.getByRole('radio', { name: /The index first/ }).check();
    await expect(cards.getByRole('textbox')).toHaveCount(1);
    const first = cards.first();
    const note = first.getByRole('textbox');
    await first.getByRole('button', { name: 'Add a note on I1' }).click();
    await expect(note).toBeFocused();
    await note.fill('First');
    await note.fill('');
    await expect(note).toBeFocused();
    // It stays, and leaves the focus where that is.
    await first.getByText('Dismiss', { exact: true }).click();
    await expect(note).toBeVisible();
    await expect(note).not.toBeFocused();
    await note.fill('First of all');
    await page.reload();
    // It departs from the option, so its row has it, too.
    await expect(compared(page, 'I1').getByRole('textbox')).toHaveValue('First of all');
    await unfoldCards(page);
    await expect(note).toHaveValue('First of all');
    await expect(compared(page, 'I1').getByRole('textbox')).toHaveCount(0);
  });
}

const NOTE = 'measured with the load of the last quarter on two machines of the same kind';

/** An appeal of which the first option regrades so many issues, each with a note. */
async function regrading(server: string, issues: number): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Import');
  const ids = IDS.slice(0, issues);
  await debate.claim(
    'opponent',
    'These.',
    ids.map((_, index) => raise(index === 0 ? 'low' : 'high', TITLES[index] ?? '')),
  );
  const regrades = ids.map((issue, index) => ({
    change: 'regrade',
    issue,
    severity: index === 0 ? 'high' : 'low',
    note: `${NOTE}, ${issue}`,
  }));
  await debate.appealWith(
    'Which is worse?',
    [{ label: 'The limit', issue_changes: regrades }, { label: 'Neither' }],
    changes('refer', ...ids),
  );
  return debate;
}

for (const width of [1440, 390]) {
  test(`an option says from which severity to which it regrades an issue, and when it is asked why, ${width} px`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const two = await regrading(server.url, 2);
    await page.goto(two.url);
    const decides = page.locator('[data-decides]').first();
    await expect(decides).toHaveText(
      width > 1000
        ? /^I1 \(Low\) regraded to High: “measured .+…” · I2 \(High\) regraded to Low: “measured .+…”$/
        : 'I1 (Low) regraded to High · I2 (High) regraded to Low: only critical and high block',
    );
    // Which issues these are is said before sides and options.
    const about = page.getByRole('list', { name: 'The issues that they are about' });
    const titles = [`I1 Low ${TITLES[0]}`, `I2 High ${TITLES[1]}`];
    await expect(about.getByRole('listitem')).toHaveText(titles);
    const said = `I1 (Low) regraded to High: “${NOTE}, I1” · I2 (High) regraded to Low: “${NOTE}, I2”`;
    await page.getByRole('button', { name: 'Show full options' }).click();
    await expect(decides).toHaveText(said);
    expect(await decides.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await page.getByRole('button', { name: 'Show less' }).click();
    await expect(decides).not.toHaveText(said);
    // The one that is chosen says why.
    await page.getByRole('radio', { name: /The limit/ }).check();
    await expect(decides).toHaveText(said);
    await two.ruling('The limit.', false, {
      chosen_option: 0,
      issue_changes: [{ change: 'regrade', issue: 'I1', severity: 'high' }],
    });
    // Later it would say of I1 that it was high before.
    await expect(page.locator('[data-seq="3"] [data-decides]').first()).toHaveText(
      `I1 regraded to High: “${NOTE}, I1” · I2 regraded to Low: “${NOTE}, I2”`,
    );

    const six = await regrading(server.url, 6);
    await page.goto(six.url);
    await expect(compared(page, 'I1').getByRole('cell')).toHaveText([
      'Regrade → High',
      'not decided',
      `1: “${NOTE}, I1”`,
    ]);
    await expect(compared(page, 'I1').getByRole('rowheader')).toContainText('Low');
    if (width < 640) expect(await cutIn(page)).toEqual([]);
    await picture(page, `regrades-${width}`);
  });
}

test('a folded card of the inbox names what its options decide by titles', async ({ page, server }) => {
  const first = await IssueDebate.create(server.url, 'The first one');
  await first.claim('opponent', 'Fine.');
  await first.appeal('Is it?');
  const few = await regrading(server.url, 2);
  const many = await twelveIssues(server.url);
  await page.goto(server.url);
  const folded = (debate: IssueDebate) => page.locator(`[data-card="${debate.id}"][data-active=false]`);
  const about = folded(few).getByRole('list', { name: 'The issues that they are about' });
  await expect(about.getByRole('listitem')).toHaveText([`I1 Low ${TITLES[0]}`, `I2 High ${TITLES[1]}`]);
  await expect(folded(few).getByRole('table')).toHaveCount(0);
  await expect(folded(many).locator('[data-decided-in-short]')).toHaveText(IN_SHORT);
  const table = folded(many).getByRole('table', { name: 'What each option decides' });
  await expect(table).toHaveCount(0);
  await folded(many).getByText('What each option decides').click();
  await expect(table.getByRole('rowheader')).toHaveCount(7);
  await expect(table.getByRole('rowheader').first()).toContainText(TITLES[4] ?? '');
  await picture(page, 'inbox-folded');
});

test('what follows a ruling leads to the issues that it names, one alone by its title', async ({
  page,
  server,
}) => {
  const debate = await IssueDebate.create(server.url, 'Import');
  await debate.claim('opponent', 'One.', [raise('high', TITLES[0] ?? '')]);
  await debate.appeal('Is it one?', changes('refer', 'I1'));
  await page.goto(debate.url);
  // Without options that decide, what the words mean is said at the issues.
  await expect(page.locator('[data-change-legend]')).toContainText('Uphold: it must be fixed');
  await card(page, 'I1').getByText('Uphold', { exact: true }).click();
  const follows = page.locator('[data-follows]');
  await expect(follows).toContainText(
    `If it goes on: Proposer has to fix I1 “${TITLES[0]}” · Opponent checks after that`,
  );
  await expect(follows.locator('bdi')).toHaveText(`“${TITLES[0]}”`);
  await follows.getByRole('link', { name: 'I1' }).click();
  await expect(page.locator('[data-issue="I1"]')).toBeInViewport();
});

test.describe('in Vietnamese, on a phone', () => {
  test.use({ locale: 'vi-VN', viewport: { width: 390, height: 844 } });

  test('all that may become of an issue stands in one line, and twelve are as high as in English', async ({
    page,
    server,
  }) => {
    const debate = await twelveIssues(server.url);
    await page.goto(debate.url);
    await page.getByRole('radio', { name: /All of it/ }).check();
    await unfoldCards(page, 'Quyết định từng vấn đề');
    await expect(card(page, 'I1').getByRole('radio', { name: 'Công nhận' })).toBeChecked();
    expect(await heightOfCards(page)).toBeLessThanOrEqual(2200);
    const choices = card(page, 'I1').locator('label');
    await expect(choices).toHaveText(['Để nguyên', 'Công nhận', 'Bác bỏ', 'Đổi mức độ', 'Hoãn lại']);
    const tops = await choices.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });
});

test('what is typed where no field has the focus chooses no option; a digit by itself does', async ({
  page,
  server,
}) => {
  const debate = await twelveIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: /All of it/ }).check();
  // As fast as a program types, too, and where a control has the focus.
  for (const delay of [0, 50]) {
    await page.keyboard.type('SHA-1 for', { delay });
    await expect(page.getByRole('radio', { name: /All of it/ })).toBeChecked();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  }
  await expect(async () => {
    await page.keyboard.press('1');
    await expect(page.getByRole('radio', { name: /The index first/ })).toBeChecked({ timeout: 500 });
  }).toPass();
});

test('a number in the table of options unfolds what was said of that issue, and a digit typed there chooses no option', async ({
  page,
  server,
}) => {
  const debate = await twelveIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: /All of it/ }).check();
  const number = compared(page, 'I11').getByRole('link', { name: 'I11' });
  await number.click();
  const history = page.getByRole('list', { name: 'History of I11' }).getByRole('listitem');
  await expect(history).toHaveText([/Seen in a load test\.$/, /It is rare\.$/, /referred/]);
  await expect(number).toBeFocused();
  await expect(page.locator('[data-decide], [data-issue]')).toHaveCount(0);
  await page.keyboard.press('1');
  await expect(page.locator('[data-ruling-summary]')).toContainText('All of it');
  await expect(page.getByRole('radio', { name: /All of it/ })).toBeChecked();
  await number.click();
  await expect(history).toHaveCount(0);
  // With the cards it leads to that of the issue.
  await unfoldCards(page);
  await number.click();
  await expect(card(page, 'I11')).toBeInViewport({ ratio: 1 });
  await expect(card(page, 'I11').getByRole('radio', { name: 'Uphold' })).toBeFocused();
});

test('what another option makes of one of many issues is chosen where the options are compared', async ({
  page,
  server,
}) => {
  const debate = await twelveIssues(server.url);
  await page.goto(debate.url);
  const cell = (name: string) => page.getByRole('button', { name, exact: true });
  await page.getByRole('radio', { name: /The index first/ }).check();
  const menu = (id: string) => compared(page, id).getByRole('combobox', { name: `Your decision on ${id}` });
  await expect(menu('I5')).toHaveValue('dismiss');
  await expect(cell('I5: Uphold (2)')).toHaveAttribute('aria-pressed', 'false');
  await cell('I5: Uphold (2)').click();
  await expect(menu('I5')).toHaveValue('uphold');
  await expect(page.locator('[data-ruling-summary]')).toContainText('I5 upheld');
  // What the chosen option decides stands in its column alone, though another decides the same.
  await page.getByRole('button', { name: /the same in all/ }).click();
  await expect(menu('I1')).toHaveValue('uphold');
  await expect(cell('I1: Uphold (2)')).toHaveAttribute('aria-pressed', 'false');

  // The reason of an option goes with what it decides.
  await cell('I7: Uphold (2)').press('Enter');
  await expect(menu('I7')).toHaveValue('uphold');
  await expect(compared(page, 'I7')).not.toContainText('after Friday');
  await menu('I7').selectOption('Defer');
  // What no option makes of it can be chosen there, too, and what the option leaves.
  await menu('I9').selectOption('Regrade');
  await expect(compared(page, 'I9').getByRole('combobox', { name: 'Severity' })).toHaveValue('low');
  await menu('I9').selectOption('Leave');
  await expect(compared(page, 'I9').getByRole('combobox', { name: 'Severity' })).toHaveCount(0);
  await unfoldCards(page);
  await expect(card(page, 'I5').getByRole('radio', { name: 'Uphold' })).toBeChecked();
  await expect(card(page, 'I7').getByRole('textbox')).toHaveValue('after Friday');
  await expect(page.getByRole('radio', { name: /The index first/ })).toBeChecked();
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await page.getByRole('button', { name: 'Leave and send' }).click();
  await expect(page.locator('[data-seq="6"] [data-departs]')).toHaveText(
    'I5 upheld, where the option said dismissed',
  );
});

test('a reason that is needed is asked for in the row where it was decided so, and the option’s is offered there', async ({
  page,
  server,
}) => {
  const debate = await twelveIssues(server.url);
  await page.goto(debate.url);
  await page.getByRole('radio', { name: /All of it/ }).check();
  await page.getByRole('button', { name: 'I7: Defer (1)' }).click();
  const why = compared(page, 'I7').getByRole('textbox', { name: 'Why (needed), I7' });
  await expect(why).toHaveValue('');
  // Not under the bar.
  await expect
    .poll(async () => {
      const [field, bar] = await Promise.all([
        why.boundingBox(),
        page.locator('[data-ruling-buttons]').boundingBox(),
      ]);
      return (bar?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0);
    })
    .toBeGreaterThanOrEqual(0);
  await expect(page.locator('[data-follows]')).toHaveText('Say why at I7: that is needed.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(why).toBeFocused();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  // It is said once: as what can be taken.
  await expect(compared(page, 'I7').getByText('after Friday')).toHaveCount(1);
  await compared(page, 'I7').getByRole('button', { name: '“after Friday”' }).click();
  await expect(why).toHaveValue('after Friday');
  await expect(why).toBeFocused();
  await expect(compared(page, 'I6').getByRole('textbox')).toHaveCount(0);
  // What is decided as the option says needs no reason of its own, whichever word was pressed before.
  const fresh = await twelveIssues(server.url);
  await page.goto(fresh.url);
  await page.getByRole('radio', { name: /The index first/ }).check();
  await page.getByRole('button', { name: 'I7: Uphold (2)' }).click();
  await expect(page.locator('[data-details]')).toHaveCount(0);
  // A note that is not needed has its field on demand, so that nothing moves under the next press.
  await compared(page, 'I7').getByRole('button', { name: 'Add a note on I7' }).click();
  await expect(compared(page, 'I7').getByRole('textbox', { name: 'Note (optional), I7' })).toBeFocused();
  await compared(page, 'I7').getByRole('combobox').selectOption('Defer');
  await expect(page.locator('[data-details]')).toHaveCount(0);
  await expect(page.locator('[data-follows]')).toContainText('Proposer has to fix');
  await page.goto(debate.url);
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-seq="6"] [data-change]').filter({ hasText: 'I7' })).toContainText(
    'after Friday',
  );
});

test('where there is room, an option says why before it is chosen', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Flags');
  await debate.claim('opponent', 'One.', [raise('high', TITLES[0] ?? '')]);
  const long = `since ${'the load test failed '.repeat(9)}`;
  await debate.appealWith(
    'For how long do both run?',
    [
      { label: 'A month', issue_changes: [{ change: 'dismiss', issue: 'I1', note: 'Four weeks.' }] },
      { label: 'Half a month', issue_changes: [{ change: 'uphold', issue: 'I1', note: long }] },
      { label: 'Not at all', issue_changes: changes('uphold', 'I1') },
    ],
    changes('refer', 'I1'),
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(debate.url);
  const decides = page.locator('label [data-decides]');
  await expect(decides).toHaveText([
    'I1 dismissed: “Four weeks.”',
    /^I1 upheld: “since the load test failed .{20,40}…”$/,
    'I1 upheld: it must be fixed',
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(decides.first()).toHaveText('I1 dismissed: settled for good');
});
