import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { Agents } from './support/agents';
import { disputedDebate, IssueDebate, raise } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { Server } from './support/server';
import { test as base, expect, openLive, picture, SERVER_UNREACHABLE, test } from './support/test';

const cards = '[data-card]';

test('cards appear live, the longest waiting first, and are ruled on by keyboard alone', async ({
  page,
  server,
}) => {
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'Start a first debate' })).toBeVisible();

  const appeal = await new Agents(server.url).create('Which store?', 'SQLite.');
  await appeal.claim('opponent', 'No.');
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  await appeal.appeal('Which of **both**?', ['SQLite: one file', 'PostgreSQL: a server']);
  await expect(page.locator(cards)).toHaveCount(1);
  const finished = await IssueDebate.create(server.url, 'Retry policy');
  await finished.claim('opponent', 'One remark.', [raise('low', 'A name')]);
  await finished.resolution('We agree on three attempts.');
  await expect(page.locator(cards)).toHaveCount(2);
  await expect(page.getByRole('status').filter({ hasText: '2 debates need your ruling' })).toBeVisible();

  const [first, second] = [page.locator(cards).nth(0), page.locator(cards).nth(1)];
  await expect(first).toHaveAttribute('data-card', appeal.debateId);
  await expect(first).toContainText('Appeal');
  await expect(first.locator('strong')).toHaveText('both');
  await expect(first).toContainText(/waits \d+ sec/);
  await expect(first.getByRole('radio')).toHaveCount(3);
  await expect(second).toContainText('Asks to finish');
  await expect(second).toContainText('We agree on three attempts.');
  await expect(second).toContainText('1 raised: 1 open');
  await expect(second.getByText('1 issue not settled')).toBeAttached();
  await picture(page, 'inbox');

  // The second option, a word of one's own, sent.
  await page.keyboard.press('2');
  await expect(first.getByRole('radio', { name: /PostgreSQL/ })).toBeChecked();
  await page.keyboard.press('r');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('It scales.');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator(cards)).toHaveCount(1);
  await expect.poll(async () => (await appeal.arguments()).at(-1)?.type).toBe('RULING');
  const last = (await appeal.arguments()).at(-1);
  expect(last).toMatchObject({ type: 'RULING', chosen_option: 1, close: false });
  expect(last?.content).toContain('It scales.');

  // The next card takes its place.
  await expect(second.or(page.locator(cards)).first()).toHaveAttribute('data-active', 'true');
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(`${server.url}/d/${finished.id}`);
  await expect(page.getByRole('region', { name: 'What you decide' })).toContainText('three attempts');
  await page.keyboard.press('u');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();

  // The opponent’s remark does not block.
  await page.getByRole('button', { name: 'Agreed, close' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  // What came of it, without leaving.
  const closed = page.locator('[data-sent]');
  await expect(closed).toContainText('Closed with your ruling');
  await expect(closed.getByRole('link', { name: 'The record' })).toBeVisible();
  await closed.getByRole('button', { name: 'Hide this notice' }).click();
  await expect(closed).toBeHidden();
});

test('j, k and the keys of a card work on the card that is active', async ({ page, server }) => {
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three']) {
    const agents = await new Agents(server.url).create(title, 'Motion');
    await agents.claim('opponent', 'No.');
    await agents.appeal('Which?', ['Left: one', 'Right: two']);
    ids.push(agents.debateId);
  }
  await page.goto(server.url);
  const active = page.locator('[data-card][data-active=true]');
  await expect(active).toHaveAttribute('data-card', ids[0] ?? '');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(active).toHaveAttribute('data-card', ids[2] ?? '');
  await expect(active.getByRole('link', { name: 'Three' })).toBeFocused();
  await page.keyboard.press('k');
  await expect(active).toHaveAttribute('data-card', ids[1] ?? '');
  const left = active.getByRole('radio', { name: /Left/ });
  await expect(left).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('1');
    await expect(left).toBeChecked({ timeout: 500 });
  }).toPass();
  // The link has the focus, so that Enter opens the decision on a page of its own.
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}/d/${ids[1]}`);
  // The draft came along.
  await expect(page.getByRole('radio', { name: /Left/ })).toBeChecked();
  await page.goBack();

  // By mouse: anywhere on a card.
  await page.locator(`[data-card="${ids[2]}"]`).getByText('Which?').click();
  await expect(active).toHaveAttribute('data-card', ids[2] ?? '');
  await page.goto(`${server.url}/#${ids[1]}`);
  await expect(active).toHaveAttribute('data-card', ids[1] ?? '');
});

test('a card leads to the plan and to the issues that it speaks of, and is as wide as the page', async ({
  page,
  server,
}) => {
  const { debate } = await planDebate(server.url);
  const wide = ['| a | b |', '|---|---|', `| ${'x'.repeat(200)} | 1 |`, '', '```sh', 'y '.repeat(200), '```'];
  await debate.appeal(`What about I3?\n\n${wide.join('\n')}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(server.url);
  const card = page.locator(cards);
  await expect(card.locator('pre')).toBeVisible();
  const { x, width } = (await card.boundingBox()) ?? { x: 0, width: 0 };
  expect(x + width).toBeLessThanOrEqual(390);

  await card.getByRole('link', { name: 'I3', exact: true }).first().click();
  await expect(page).toHaveURL(`${debate.url}?issues#I3`);
  await expect(page.locator('[data-issue=I3]')).toBeVisible();
  await page.goto(server.url);
  await card.getByRole('link', { name: 'The plan and its changes' }).click();
  await expect(page).toHaveURL(`${debate.url}?plan`);
  await expect(page.getByRole('complementary', { name: 'Plan' }).locator('ins').first()).toBeVisible();
});

test('a draft is kept when somebody else rules, and a reload keeps it', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Faster', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Which?');
  await page.goto(server.url);
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await box.fill('My long thoughts.');
  await page.reload();
  await expect(box).toHaveValue('My long thoughts.');
  await agents.ruling('Somebody else.');
  const notice = page.locator('[data-missed]');
  await expect(notice.getByRole('alert')).toContainText('A ruling was already made');
  await picture(page, 'inbox-missed');
  await notice.getByRole('link', { name: 'Faster' }).click();
  await expect(page.getByText('My long thoughts.')).toBeVisible();
});

test.describe('offline', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  test('a ruling that is sent while the server is away arrives once it is back', async ({ page, server }) => {
    const agents = await new Agents(server.url).create('Away', 'Motion');
    await agents.claim('opponent', 'No.');
    await agents.appeal('Which?');
    await page.goto(server.url);
    const box = page.getByRole('textbox', { name: 'Your ruling' });
    await box.fill('Left.');
    await server.stop();
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(page.getByText('Waiting for the connection.')).toBeVisible();
    await server.startAgain();
    await expect(page.locator(cards)).toHaveCount(0, { timeout: 30_000 });
    const rulings = async () => (await agents.arguments()).filter(({ type }) => type === 'RULING').length;
    await expect.poll(rulings, { timeout: 30_000 }).toBe(1);
  });
});

/** A browser without a window refuses all notifications: here it has the permission, and keeps what the worker is asked to show. */
function permitNotifications(): void {
  const shown: unknown[] = [];
  Object.assign(window, { shown });
  class Permitted {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor() {
      throw new TypeError('Illegal constructor: only a worker may show them, as on phones.');
    }
  }
  Object.assign(window, { Notification: Permitted });
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    shown.push({ title, body: options?.body, tag: options?.tag, data: options?.data });
  };
}

test('a notification comes from a worker, as phones need, and opens the card of its debate', async ({
  page,
  server,
}) => {
  await page.addInitScript(permitNotifications);
  await page.addInitScript(() => localStorage.setItem('aweave.notify', 'on'));
  const other = await new Agents(server.url).create('Other', 'Motion');
  await other.claim('opponent', 'No.');
  await other.appeal('First?');
  const agents = await new Agents(server.url).create('Asking', 'Motion');
  await agents.claim('opponent', 'No.');
  await openLive(page, `${server.url}/d/${other.debateId}`);
  await agents.appeal('Second?');
  const shown = () => page.evaluate(() => (window as unknown as { shown: unknown[] }).shown);
  const [tag, path] = [agents.debateId, `/#${agents.debateId}`];
  await expect.poll(shown).toEqual([{ title: 'Appeal: Asking', body: 'Second?', tag, data: { path } }]);
  // The worker tells the page where a click on it leads.
  await page.evaluate((show) => {
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { show } }));
  }, path);
  await expect(page.locator('[data-card][data-active=true]')).toHaveAttribute('data-card', agents.debateId);
});

test('the app can be installed: it has a manifest, icons and a worker', async ({ page, server }) => {
  await page.goto(server.url);
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await page.request.get(server.url + href)).json();
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(server.url + src);
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type]);
  }
  const state = await page.evaluate(async () => {
    const registered = await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
    return registered.active?.state;
  });
  expect(['activating', 'activated']).toContain(state);
});

test('notifications are offered once, in words, where a first ruling was given', async ({ page, server }) => {
  await page.addInitScript(permitNotifications);
  for (const title of ['One', 'Two']) await asking(server.url, title);
  await page.goto(server.url);
  const offer = page.locator('[data-offer]');
  await expect(page.locator(cards)).toHaveCount(2);
  await expect(offer).toBeHidden();
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(offer).toContainText('tell you when a debate needs your ruling');
  await expectNoViolations(page, 'notifications-offered');
  await offer.getByRole('button', { name: 'Tell me' }).click();
  await expect(offer).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('aweave.notify'))).toBe('on');
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('Right.');
  // Just after the card took the place of another, its buttons take no click.
  await expect(async () => {
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(page.locator(cards)).toHaveCount(0, { timeout: 700 });
  }).toPass();
  await expect(offer).toBeHidden();
});

/** A debate in which an appeal waits. */
async function asking(server: string, title: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, title);
  await debate.claim('opponent', `No. ${'Because of this and that. '.repeat(20)}`);
  await debate.appeal(`Which of both? ${'They differ in this and that. '.repeat(30)}`, [], ['Left', 'Right']);
  return debate;
}

test('cards that each have options have no landmarks of one name', async ({ page, server }) => {
  for (const title of ['One', 'Two', 'Three']) await asking(server.url, title);
  await page.goto(server.url);
  await expect(page.getByRole('list', { name: 'Options' })).toHaveCount(2);
  await expectNoViolations(page, 'inbox-options');
});

test.describe('going on', () => {
  test.use({ sendsAtOnce: false });

  test('after a ruling the next card is there at once, and nothing moves when the ruling is sent', async ({
    page,
    server,
  }) => {
    const debates: IssueDebate[] = [];
    for (const title of ['One', 'Two', 'Three']) debates.push(await asking(server.url, title));
    await page.goto(server.url);
    const active = page.locator('[data-card][data-active=true]');
    await expect(active).toHaveAttribute('data-card', debates[0]?.id ?? '');
    await expect(active.getByRole('radio')).toHaveCount(3);
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(active).toHaveAttribute('data-card', debates[1]?.id ?? '');
    // The list counts as the inbox does, while the ruling waits.
    await expect(page.locator('[data-unsent]')).toHaveCount(1);
    await expect(page.getByRole('status').filter({ hasText: '2 debates need your ruling' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Inbox/ })).toHaveText(/^Inbox\s*2$/);
    await expect(page.getByRole('heading', { name: /^Needs your ruling/ })).toHaveText(/2$/);
    await expect(page).toHaveTitle(/^\(2\)/);
    await expect(active.getByRole('heading', { level: 2 })).toBeInViewport({ ratio: 1 });
    await expect(active.getByRole('radio').first()).toBeInViewport();
    await expect(active.locator('.prose').first()).toBeVisible();
    await page.locator('[data-inbox]').evaluate((inbox) => inbox.scrollBy(0, 120));
    const top = async () => Math.round((await active.locator('.prose').first().boundingBox())?.y ?? 0);
    const before = await top();
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.locator('[data-sent]')).toBeVisible();
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
    // One notice says it; what is read out stands apart from it.
    const said = page.getByText('our ruling is #4');
    await expect(said.and(page.locator(':not([role=status])')).filter({ visible: true })).toHaveCount(1);
    await expect(page.getByRole('status').and(said)).toHaveCount(1);
    await page.locator('[data-sent]').getByRole('button', { name: 'Hide this notice' }).click();
    await expect(page.locator('[data-sent]')).toBeHidden();
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
  });

  test('a double click on the button does not take the ruling back, however slow it is', async ({
    page,
    server,
  }) => {
    await asking(server.url, 'One');
    await page.goto(server.url);
    // Slow enough for what comes: 1.2 s become 12 s.
    const session = await page.context().newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0.1 });
    await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
    const button = await page.getByRole('button', { name: 'Rule and continue' }).boundingBox();
    await page.mouse.dblclick((button?.x ?? 0) + 20, (button?.y ?? 0) + 20);
    const unsent = page.locator('[data-unsent]');
    const undo = unsent.getByRole('button', { name: 'Undo' });
    for (const control of [
      undo,
      unsent.getByRole('button', { name: 'Send now' }),
      unsent.getByRole('link'),
    ]) {
      const { x, y } = (await control.boundingBox()) ?? { x: 0, y: 0 };
      await page.mouse.click(x + 9, y + 9);
    }
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(undo).toBeVisible();
    // The keyboard is not kept waiting.
    await undo.press('Enter');
    await expect(unsent).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Left.');
  });

  test('Undo brings the card back, with the focus in its box', async ({ page, server }) => {
    const first = await asking(server.url, 'One');
    await asking(server.url, 'Two');
    await page.goto(server.url);
    await page.getByRole('textbox', { name: 'Your ruling' }).fill('Left.');
    await page.keyboard.press('Control+Enter');
    await expect(page.locator(cards)).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.locator('[data-card][data-active=true]')).toHaveAttribute('data-card', first.id);
    await expect(page.getByRole('textbox', { name: 'Your ruling' })).toBeFocused();
    await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Left.');
  });
});

test('what waits beyond those that the server names is counted, too', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'One of many');
  await debate.claim('opponent', 'No.');
  await debate.appeal('Which?');
  await page.route('**/wait?*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, data: { ...json.data, total: 501 } } });
  });
  await page.goto(server.url);
  await expect(page.locator('[data-inbox]')).toContainText('501 debates need your ruling');
  await expect(page.getByRole('link', { name: 'Inbox' })).toContainText('501');
  await expect(page).toHaveTitle(/^\(501\) /);
});

test('Back returns to the place in the inbox that was left', async ({ page, server }) => {
  for (let n = 1; n <= 8; n += 1) await asking(server.url, `Debate ${n}`);
  await page.goto(server.url);
  const card = page.locator(cards).nth(5);
  await card.scrollIntoViewIfNeeded();
  await expect(card.locator('.prose').first()).toBeVisible();
  await card.getByRole('button', { name: 'Rule here' }).click();
  await expect(card).toHaveAttribute('data-active', 'true');
  await expect(card.getByRole('textbox', { name: 'Your ruling' })).toBeVisible();
  await page.locator('[data-inbox]').evaluate((inbox) => inbox.scrollBy(0, 90));
  const top = async () => Math.round((await card.boundingBox())?.y ?? 0);
  const before = await top();
  await page.keyboard.press('o');
  await expect(page.getByRole('region', { name: 'What you decide' })).toBeVisible();
  await page.goBack();
  await expect(card).toHaveAttribute('data-active', 'true');
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(3);
});

test('what a card asks is fetched when it comes near what is seen, not for all cards at once', async ({
  page,
  server,
}) => {
  for (let n = 1; n <= 12; n += 1) await asking(server.url, `Debate ${n}`);
  const fetched = new Set<string>();
  page.on('request', (request) => {
    const id = /debates\/([0-9a-f-]{36})\?/.exec(request.url())?.[1];
    if (id) fetched.add(id);
  });
  await page.goto(server.url);
  await expect(page.locator(cards)).toHaveCount(12);
  await expect(page.locator(cards).nth(1).locator('.prose').first()).toBeVisible();
  expect(fetched.size).toBeLessThan(6);
  // The one beside the active card is there before one goes on to it.
  await page.keyboard.press('j');
  await expect(page.locator(cards).nth(2).locator('.prose').first()).toBeAttached();
  for (const card of await page.locator(cards).all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('.prose').first()).toBeVisible();
  }
  expect(fetched.size).toBe(12);
});

/** The tests below only read, so they share one server. */
const readers = base.extend<object, { shared: Server }>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = await Server.start();
      await disputedDebate(server.url);
      const asking = await new Agents(server.url).create(
        'Tách thành hai tiến trình?',
        'Một.',
        'coding_plan_debate',
      );
      await asking.claim('opponent', 'Không cần thiết.');
      await asking.appeal('### Ai đúng?\n\nHai tiến trình hay một?', [
        'Hai: tách riêng',
        'Một: đơn giản hơn',
      ]);
      const done = await IssueDebate.create(server.url, 'Names of types');
      await done.claim('opponent', 'Fine.', [raise('low', 'A name')]);
      await done.resolution(`Everything is agreed. ${'We keep the names as they are. '.repeat(20)}`);
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
  server: ({ shared }, use) => use(shared),
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  readers.describe(name, () => {
    readers.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    readers('the inbox has no violations', async ({ page, server }) => {
      await page.goto(server.url);
      await expect(page.locator(cards)).toHaveCount(3);
      await expect(page.locator('[data-since]')).toHaveCount(3);
      // Until then the text of a question is not shown.
      await expect(page.locator('[data-card] [aria-busy=true]')).toHaveCount(0);
      await expectNoViolations(page, `${name}-inbox`);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await expect(page.locator(cards).nth(2)).toHaveAttribute('data-active', 'true');
      await expectNoViolations(page, `${name}-inbox-resolution`);
    });
  });
}

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });

    test('the empty inbox has no violations', async ({ page, server }) => {
      await page.goto(server.url);
      await expect(page.locator('main a[href="/?new"]')).toHaveCount(2);
      await expectNoViolations(page, `${name}-inbox-first`);
    });
  });
}

test('a card that is not the active one tells what each side said, in a line', async ({ page, server }) => {
  const active = await IssueDebate.create(server.url, 'The active one');
  await active.claim('opponent', 'No.');
  await active.appeal('Which?');
  const debate = await IssueDebate.create(server.url, 'Which licence?');
  await debate.claim('opponent', 'No.');
  await debate.claim('proposer', 'Patents matter.');
  await debate.claim('opponent', '## Position\n\n- **MIT** is enough.\n- And short.');
  await debate.appeal('Which licence?', [], ['MIT', 'Apache']);
  await page.goto(server.url);
  const lines = page.locator(`[data-card="${debate.id}"] [data-side-line]`);
  await expect(lines).toHaveText(['ProposerPatents matter.', 'OpponentMIT is enough.']);
  // The active one tells them whole.
  await expect(page.locator('[data-active=true] [data-side-line]')).toHaveCount(0);
});
