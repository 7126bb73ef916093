import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility';
import { disputedDebate, IssueDebate, raise } from './support/issueDebate';
import { addVersion } from './support/planDebate';
import { createDebate, post } from './support/rest';
import { expect, openLive, test } from './support/test';

const TABLE = [
  'Limits of the job.',
  '',
  '| limit | value | why |',
  '| --- | ---: | --- |',
  '| rows at a time | 1,000 | locks of less than a second |',
  '| pause | 5 s | replicas follow |',
  '',
  'Stopping it takes a second operator, two persons in the same room.',
  '',
  'Run it on a copy of `uploads` and `incoming`.',
  '',
].join('\n');
const CHANGED = TABLE.replace('5 s', '10 s')
  .replace(
    'Stopping it takes a second operator, two persons in the same room.',
    'Any member of the group decides.',
  )
  .replace('`incoming`', '`outgoing`');

/** A debate about a plan, of which a row, a paragraph and a name in code have changed. */
async function changedPlan(server: string): Promise<IssueDebate> {
  const { document } = await post<{ document: { id: string } }>(server, '/documents', {
    summary: 'Limits',
    content: TABLE,
  });
  const debate = await IssueDebate.create(server, 'Limits', `The plan is doc_id=${document.id} v1.`);
  await debate.claim('opponent', 'One.', [raise('high', 'The pause is too short')]);
  await addVersion(server, document.id, 'Longer', CHANGED);
  await debate.claim('proposer', `See doc_id=${document.id} v2.`, [{ change: 'fix', issue: 'I1' }]);
  await debate.claim('opponent', 'Fine.', [{ change: 'resolve', issue: 'I1' }]);
  await debate.appeal('Is `incoming` needed?', [], ['Yes', 'No']);
  return debate;
}

test('words that lead somewhere, words that say what they mean, and buttons are told apart', async ({
  page,
  server,
}) => {
  const debate = await disputedDebate(server.url);
  const planned = await changedPlan(server.url);
  for (const address of [debate.url, `${debate.url}#6`, planned.url]) {
    await page.goto(address);
    await expect(page.locator('#debate [data-term]:visible').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const lines = (selector: string) =>
      page.locator(selector).evaluateAll((all) => [
        ...new Set(
          all.map((element) => {
            const { textDecorationLine, textDecorationStyle } = getComputedStyle(element);
            return textDecorationLine === 'none' ? 'none' : textDecorationStyle;
          }),
        ),
      ]);
    expect(await lines('button[data-term]:visible')).toEqual(['dotted']);
    expect(await lines('button:not([data-term]):visible, summary:visible')).toEqual(['none']);
    expect(await lines('a.link:visible')).toEqual(['solid']);
    // Nothing else has a line.
    const other = '#debate :not(a, button, del, [data-term]):not(.link *):visible';
    expect(await lines(other)).toEqual(['none']);
  }
});

test('an issue has at most three marks before its title, and none that is true of all under the heading', async ({
  page,
  server,
}) => {
  const debate = await disputedDebate(server.url);
  await page.goto(debate.url);
  const card = page.locator('[data-decide="I2"]');
  await expect(card).toContainText('Reopened 2×');
  await expect(card).not.toContainText('Referred to you');
  const chips = (place: string) => page.locator(`${place} .rounded-full`).count();
  expect(await chips('[data-decide="I2"]')).toBeLessThanOrEqual(3);
  // Beside others the mark tells it apart.
  await page.getByRole('button', { name: /^Issues/ }).click();
  const item = page.locator('[data-issue=I2]');
  await expect(item).toContainText('Referred to you');
  expect(await chips('[data-issue=I2]')).toBeLessThanOrEqual(3);
});

test('a changed row is a row, a rewritten paragraph says so, and code keeps the colour of its change', async ({
  page,
  server,
}) => {
  const debate = await changedPlan(server.url);
  await page.goto(debate.url);
  await page.getByText('What changed in the plan:').click();
  const changes = page.getByRole('region', { name: 'What changed in the plan' });
  const table = changes.locator('table');
  await expect(table.getByRole('columnheader')).toHaveText(['limit', 'value', 'why']);
  await expect(table.locator('tr[data-old]').getByRole('cell').nth(1)).toHaveText('5 s');
  await expect(table.locator('ins')).toHaveText('10');
  // It is aligned as where it is read.
  for (const cell of await table.locator('tr > :nth-child(2)').all())
    await expect(cell).toHaveCSS('text-align', 'right');
  await expect(changes).not.toContainText('---');
  await expect(changes.locator('[data-change=added]').first()).toContainText('Rewritten');
  await expect(changes.locator('[data-change=added]').first().locator('ins')).toHaveText(
    'Any member of the group decides.',
  );
  const code = changes.locator('[data-change=added] code').last();
  await expect(code).toHaveText('outgoing');
  expect(await code.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgba(0, 0, 0, 0)',
  );
});

test('on a phone what is cut at its side shows it: a changed table, a table, and code', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = `\n| ${'a_long_name_'.repeat(4)} | ${'another_name_'.repeat(4)} |\n|---|---|\n| 1 | 2 |\n\n`;
  const code = `\`\`\`sql\nselect ${'column_name, '.repeat(12)} 1\n\`\`\`\n`;
  const { document } = await post<{ document: { id: string } }>(server.url, '/documents', {
    summary: 'Wide',
    content: `${wide}${code}`,
  });
  const debate = await IssueDebate.create(server.url, 'Wide', `The plan is doc_id=${document.id} v1.`);
  await addVersion(server.url, document.id, 'Other', `${wide.replace('| 1 |', '| 3 |')}${code}`);
  await debate.claim('opponent', 'Too wide.');
  await debate.claim('proposer', `See doc_id=${document.id} v2.`);
  const shadows = (place: string) =>
    page
      .locator(`.plan-text ${place}`)
      .evaluateAll((elements) =>
        elements.map((element) => [
          element.scrollWidth > element.clientWidth,
          getComputedStyle(element).backgroundImage.split('linear-gradient').length - 1,
          element instanceof HTMLElement && element.tabIndex,
        ]),
      );
  const cut = [[true, 4, 0]];
  for (const view of ['changes', 'text']) {
    await page.goto(`${debate.url}?plan&view=${view}`);
    await expect(page.locator(`.plan-text table${view === 'changes' ? '.changes' : ''}`)).toBeVisible();
    await expect.poll(() => shadows('[role=group]:has(table)')).toEqual(cut);
    await expect.poll(() => shadows('pre')).toEqual(cut);
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('the card of a ruling, and changes with code in them, can be read', async ({ page, server }) => {
      const debate = await changedPlan(server.url);
      await page.goto(debate.url);
      await page.getByText('What changed in the plan:').click();
      await expect(page.locator('ins').first()).toBeVisible();
      await expectNoViolations(page, `changes-${colorScheme}`);
      const ruling = 'Two of them.\n\n> 3. A report that fails stops it.\n\n`incoming` stays.';
      await post(server.url, `/debates/${debate.id}/ruling`, {
        content: ruling,
        chosen_option: 1,
        issue_changes: [{ change: 'raise', severity: 'high', title: 'A `name`' }],
      });
      await expect(page.locator('[data-type=RULING]')).toContainText('stays.');
      await expectNoViolations(page, `ruling-card-${colorScheme}`);
    });

    test('the colour of a role is for nothing else: not for what blocks, nor for links', async ({
      page,
      server,
    }) => {
      const debate = await IssueDebate.create(server.url);
      await debate.claim('opponent', 'One.', [raise('high', 'It loses data')]);
      await debate.claim('proposer', '[Read it](https://example.com/notes), and see I1.', [
        { change: 'dispute', issue: 'I1', note: 'See I1.' },
      ]);
      await openLive(page, debate.url);
      await page.getByRole('button', { name: /^Issues, / }).click();
      const item = page.locator('[data-issue=I1]');
      await expect(item).toContainText('See I1.');
      const color = (place: Locator) => place.evaluate((element) => getComputedStyle(element).color);
      const roles = await Promise.all(
        ['opponent', 'proposer'].map((role) => color(page.locator(`.text-${role}`).first())),
      );
      const others = [
        page.getByText('1 blocking').first(),
        page.getByText('1 blocking').last(),
        item.getByText('High'),
        page.locator('.prose a').first(),
        page.locator('.prose a').last(),
        item.getByRole('link', { name: 'I1', exact: true }),
      ];
      for (const other of others) expect(roles).not.toContain(await color(other));
      // Who says that it is no fault is the proposer.
      expect(await color(item.getByText('Disputed'))).toBe(roles[1]);
      await expectNoViolations(page, `warnings-${colorScheme}`);
    });
  });
}

test.describe('the box to decide in', () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`is at the bottom of the page, whatever the length of what is asked, ${viewport.width} px`, async ({
      page,
      server,
    }) => {
      await page.setViewportSize(viewport);
      for (const text of ['We agree.', 'We agree on all of it.\n\n'.repeat(9)]) {
        const debate = await IssueDebate.create(server.url);
        await debate.claim('opponent', 'Fine.');
        await debate.resolution(text);
        await page.goto(debate.url);
        const bar = page.locator('[data-ruling-buttons]');
        await expect(bar).toHaveAttribute('data-covers', 'false');
        await expect.poll(() => bottomOf(page, '[data-ruling-buttons]')).toBe(viewport.height);
      }
    });
  }
});

function bottomOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
}

test('the header of a debate takes at most 100 px of a phone, and tells its whole title on a tap', async ({
  page,
  server,
}) => {
  const title = 'Retry policy for orders that a client has sent twice, and who removes the copy';
  const long = `${title}, of which nobody knows whether it was ever read by anybody`;
  const { id } = await createDebate(server.url, title, 'Motion');
  const appeal = await IssueDebate.create(server.url, long);
  await appeal.claim('opponent', 'No.', [raise('high', 'One')]);
  await appeal.appeal('Which?', [{ change: 'refer', issue: 'I1' }]);
  const heading = page.getByRole('heading', { level: 1 });
  const hidden = () =>
    heading
      .locator('[data-title]')
      .evaluate(({ scrollHeight, clientHeight }) => Math.max(0, scrollHeight - clientHeight - 1));
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(viewport);
    for (const address of [`${server.url}/d/${id}`, appeal.url, `${appeal.url}#2`]) {
      await openLive(page, address);
      const header = page.locator('#debate header').first();
      expect((await header.boundingBox())?.height).toBeLessThanOrEqual(100);
      await expect(heading.getByRole('button')).toHaveCount((await hidden()) > 0 ? 1 : 0);
    }
  }
  await heading.getByRole('button', { expanded: false }).click();
  await expect(heading.getByRole('button', { expanded: true })).toHaveText(long);
  expect(await hidden()).toBe(0);
  await heading.getByRole('button').click();
  await expect(heading.getByRole('button', { expanded: false })).toBeVisible();
});

test('on a phone the number of issues that block is marked, and stands in place of all', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const debate = await IssueDebate.create(server.url);
  const button = page.getByRole('button', { name: /^Issues, / });
  const background = () =>
    button
      .getByText('1', { exact: true })
      .evaluate(({ parentElement }) => parentElement && getComputedStyle(parentElement).backgroundColor);
  await debate.claim('opponent', 'One.', [raise('low', 'A name')]);
  await openLive(page, debate.url);
  const plain = await background();
  await debate.claim('proposer', 'Fine.');
  await debate.claim('opponent', 'One more.', [raise('high', 'It loses data')]);
  await expect(button).toHaveAccessibleName('Issues, 2 issues not settled, 1 blocks completion');
  await expect(button).toHaveText('1', { useInnerText: true });
  expect(await background()).not.toBe(plain);
});

test('a phone shows the state where the WebSocket tells nothing, and a state that this app does not know', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { id } = await createDebate(server.url, 'Retry policy', 'Motion');
  const header = page.locator('#debate header').first();
  await page.goto(`${server.url}/d/${id}`);
  await expect(header.getByRole('list', { name: 'What both sides are doing' })).toBeVisible();
  await expect(header.getByText('Opponent’s turn')).toBeHidden();

  await page.routeWebSocket(/\/ws/, () => {});
  await page.reload();
  await expect(header.getByText('Opponent’s turn')).toBeVisible();
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(100);

  await page.unrouteAll();
  await page.routeWebSocket(/\/ws/, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((message) => {
      socket.send(String(message).replace('"AWAITING_OPPONENT"', '"AWAITING_JURY"'));
    });
  });
  await page.reload();
  await expect(header.getByText('AWAITING_JURY')).toBeVisible();
});
