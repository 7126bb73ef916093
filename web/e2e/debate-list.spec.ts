import { Agents } from './support/agents';
import { disputedDebate, IssueDebate } from './support/issueDebate';
import { expect, picture, test } from './support/test';

test('search by id and title, filter by state and type, live order, shortcuts', async ({ page, server }) => {
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'No debates yet' })).toBeVisible();
  await picture(page, 'empty');

  const plain = await new Agents(server.url).create('Đặt tên 100% rõ ràng', 'Motion', 'coding_plan_debate');
  const asking = await new Agents(server.url).create('Needs a decision', 'Motion');
  await asking.claim('opponent', 'No.');
  await new Agents(server.url).create('Newest of all', 'Motion');
  await expect(page.locator('[data-debate]')).toHaveCount(3);

  await asking.appeal('Which?');
  await expect(page.locator('[data-debate]').first()).toHaveAttribute('data-debate', asking.debateId);
  await expect(page).toHaveTitle('(1) aweave debate');
  // What is asked, and since when.
  const row = page.locator(`[data-debate="${asking.debateId}"]`);
  await expect(row).toContainText(/^Needs a decisionAppeal(now|this minute|\d+ min\. ago)$/);

  await page.keyboard.press('/');
  const search = page.getByRole('textbox', { name: 'Search titles and texts' });
  await expect(search).toBeFocused();
  await search.fill('100%');
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await expect(page.locator(`[data-debate="${plain.debateId}"]`)).toBeVisible();
  await search.fill(asking.debateId.slice(0, 8).toUpperCase());
  await expect(page.locator(`[data-debate="${asking.debateId}"]`)).toBeVisible();
  await search.fill('no such thing');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await search.press('Escape');
  await expect(page.locator('[data-debate]')).toHaveCount(3);

  await page.getByRole('combobox', { name: 'State' }).selectOption('AWAITING_ARBITRATOR');
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('coding_plan_debate');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await page.getByRole('combobox', { name: 'State' }).selectOption('');
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await expect(page.locator(`[data-debate="${plain.debateId}"]`)).toBeVisible();
  await page.getByRole('combobox', { name: 'Type' }).selectOption('');
  await expect(page.locator('[data-debate]')).toHaveCount(3);

  await page.getByRole('link', { name: 'aweave debate' }).focus();
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { level: 1, name: 'Needs a decision' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { level: 1, name: 'Newest of all' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('the search finds texts, below titles, and leads to their place', async ({ page, server }) => {
  const debate = await disputedDebate(server.url);
  const long = await IssueDebate.create(
    server.url,
    `A title that ends nowhere ${'and on '.repeat(20).trim()}`,
  );
  await long.claim('opponent', `In 2016 a leap second ${'in the billing clock '.repeat(9).trim()}`);
  await page.goto(server.url);
  const search = page.getByRole('textbox', { name: 'Search titles and texts' });
  await search.fill('upper bound');
  // Title and place of an issue stand apart.
  await expect(page.locator('[data-hit=issue]').first()).toContainText('between two attempts · plan 2.3');
  await search.fill('JITTER');
  const hits = page.getByRole('region', { name: 'In texts' }).locator('[data-hit]');
  await expect(hits).toHaveCount(1);
  await expect(hits.locator('mark').first()).toHaveText(/jitter/i);
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeHidden();
  await picture(page, 'search-texts');
  await hits.click();
  await expect(page).toHaveURL(`${debate.url}#I3`);
  await expect(page.locator('[data-issue="I3"]')).toBeVisible();
  // Where only texts match, Enter leads to the first of them.
  await search.fill('jitter');
  await expect(hits.locator('mark')).toHaveText('jitter');
  await search.fill('attempts have failed');
  await search.press('Enter');
  await expect(page).toHaveURL(`${debate.url}#I4`);
  await search.fill('except for i2');
  await hits.and(page.locator('[data-hit=argument]')).click();
  await expect(page.locator('[data-seq="3"]')).toBeVisible();
  await search.fill('nowhere said');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await search.fill('leap');
  await expect(page.locator('[data-hit]')).toHaveCount(1);
  // A hit is as wide as the list, however long its debate is called.
  expect(await page.getByRole('navigation').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
});

test('of a debate in which many texts match the newest are shown, and the others on demand', async ({
  page,
  server,
}) => {
  const other = await IssueDebate.create(server.url, 'Another');
  await other.claim('opponent', 'A leap second, once.');
  const debate = await IssueDebate.create(server.url, 'Leap seconds');
  for (let seq = 2; seq <= 41; seq += 1)
    await debate.claim(seq % 2 === 0 ? 'opponent' : 'proposer', `A leap second, ${seq}.`);
  await page.goto(server.url);
  await page.getByRole('textbox', { name: 'Search titles and texts' }).fill('leap second');
  const texts = page.getByRole('region', { name: 'In texts' });
  const hits = texts.locator('[data-hit]');
  await expect(texts.getByRole('heading')).toHaveText('In texts · 41');
  await expect(hits).toHaveText([/#41/, /#40/, /#39/, /Another/]);
  // Its title stands above them, once.
  await expect(texts.locator('[data-hit-title]')).toHaveText(['Leap seconds', 'Another']);
  await texts.getByRole('button', { name: 'Show 37 more in this debate' }).press('Enter');
  await expect(hits).toHaveCount(41);
  await expect(hits.nth(3)).toBeFocused();
  await expect(hits.nth(3)).toContainText('#38');
  await expect(hits.last()).toContainText('Another');
});

test('what was searched for is forgotten in the inbox, whose list has all that wait', async ({
  page,
  server,
}) => {
  for (const title of ['Leap seconds', 'Time zones']) {
    const debate = await IssueDebate.create(server.url, title);
    await debate.claim('opponent', 'No.');
    await debate.appeal('Which?');
  }
  await page.goto(server.url);
  const search = page.getByRole('textbox', { name: 'Search titles and texts' });
  await search.fill('leap');
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await page.locator('[data-debate]').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Leap seconds' })).toBeVisible();
  // Beside the debate it stays, in case this was not what was looked for.
  await expect(search).toHaveValue('leap');
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await expect(search).toHaveValue('');
  await expect(page.locator('[data-debate]')).toHaveCount(2);
});

test('on a phone, what clears the search is in the middle of its field', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/?list`);
  const search = page.getByRole('textbox', { name: 'Search titles and texts' });
  await search.fill('leap');
  const middleOf = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const clear = page.getByRole('search').getByRole('button', { name: 'Clear the search' });
  expect(await clear.evaluate(middleOf)).toBeCloseTo(await search.evaluate(middleOf), 0);
});

test('theme and language are kept, and applied before the first paint', async ({ page, server }) => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveClass(/dark/);
  // What was chosen closes the menu, so that the next click is on what is below it.
  await expect(page.getByRole('menu')).toBeHidden();
  await page.getByRole('button', { name: 'Settings' }).click();
  await picture(page, 'settings');
  await page.getByRole('menuitemradio', { name: 'Tiếng Việt' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  expect(await page.locator('html').getAttribute('class')).toContain('dark');
  await expect(page.getByRole('heading', { name: 'Mở cuộc tranh luận đầu tiên' })).toBeVisible();
});

test('if switched on, a notification announces what needs a ruling', async ({ page, server }) => {
  await page.addInitScript(() => {
    const events: string[] = [];
    class FakeNotification {
      static permission = 'default';
      static async requestPermission() {
        FakeNotification.permission = 'granted';
        return FakeNotification.permission;
      }
      constructor(title: string) {
        events.push(title);
      }
    }
    Object.assign(window, { Notification: FakeNotification, events });
  });
  const takeEvents = () => page.evaluate(() => (window as unknown as { events: string[] }).events.splice(0));
  const agents = await new Agents(server.url).create('Ring the bell', 'Motion');
  await page.goto(server.url);
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await agents.claim('opponent', 'No.');
  await agents.appeal('Quietly.');
  await expect(page).toHaveTitle(/^\(1\)/);
  expect(await takeEvents()).toEqual([]);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Notifications' }).click();
  await page.keyboard.press('Escape');
  await agents.ruling('Go on.');
  await agents.requestCompletion('Agreed.');
  await expect.poll(takeEvents).toEqual(['Asks to finish: Ring the bell']);
});

test('the id and the agents’ commands can be copied', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const agents = await new Agents(server.url).create('Copy', 'Motion');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  const copied = async (item: string) => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('Debate id')).toBe(agents.debateId);
  expect(await copied('Command: wait as opponent')).toBe(
    `DEBATE_SERVER_URL=${server.url} aw debate wait --debate-id ${agents.debateId} --role opponent`,
  );
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the list has its debates when it is opened, and no page waits for them before', async ({
    page,
    server,
  }) => {
    const debate = await IssueDebate.create(server.url, 'Search');
    await debate.claim('opponent', 'No index is needed.');
    await IssueDebate.create(server.url, 'Import');
    await page.goto(debate.url);
    await expect(page.getByText('No index is needed.')).toBeVisible();
    await expect(page.locator('[data-connection=live]')).toBeVisible();
    const rows = page.locator('[data-debate]');
    await expect(rows).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to the inbox' }).tap();
    await page.getByRole('link', { name: 'All debates' }).tap();
    await expect(rows).toHaveText([/Import/, /Search/]);
    await rows.first().tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Import' })).toBeVisible();
  });
});

test('the time of a debate in the list has its date as a tooltip', async ({ page, server }) => {
  await IssueDebate.create(server.url, 'Search');
  await page.goto(server.url);
  const time = page.locator('[data-debate] time');
  await time.hover();
  await expect(time).toHaveAttribute('title', / 20\d\d .*\d\d:\d\d:\d\d/);
});

test('the list has what was opened in view, and stays where it is when that is ruled on', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  const waiting: IssueDebate[] = [];
  for (let count = 0; count < 12; count += 1) {
    const debate = await IssueDebate.create(server.url, `Debate ${count}`);
    await debate.claim('opponent', 'No.');
    await debate.appeal('Which?');
    waiting.push(debate);
  }
  const row = (debate: IssueDebate | undefined) => page.locator(`[data-debate="${debate?.id}"]`);
  const [first, second] = waiting;
  await page.goto(waiting.at(-1)?.url ?? '');
  await expect(row(waiting.at(-1))).toBeInViewport({ ratio: 1 });
  await expect(row(first)).not.toBeInViewport();

  await row(first).click();
  await expect(row(first)).toBeInViewport({ ratio: 1 });
  await first?.ruling('The second.');
  await expect(page.getByRole('region', { name: 'Other debates' }).locator('[data-debate]')).toHaveCount(1);
  await expect(row(second)).toBeInViewport({ ratio: 1 });
  await expect(row(first)).not.toBeInViewport();
});
