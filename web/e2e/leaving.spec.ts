import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { agreedDebate, type IssueDebate } from './support/issueDebate';
import type { Server } from './support/server';
import { expect, openLive, SERVER_UNREACHABLE, test } from './support/test';

test.use({ sendsAtOnce: false });

async function sendBack(page: Page) {
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('Not yet.');
  await page.getByRole('button', { name: 'Send back' }).click();
  await expect(page.locator('[data-unsent]')).toBeVisible();
}

/** The rulings of a debate. */
async function rulings(server: Server, { id }: IssueDebate) {
  const answer = await (await fetch(`${server.url}/debates/${id}`)).json();
  const args = answer.data.arguments as { type: string; content: string }[];
  return args.filter(({ type }) => type === 'RULING').map(({ content }) => content);
}

/** What leads away from the page. */
const WAYS: [string, (page: Page, context: BrowserContext, server: Server) => Promise<unknown>][] = [
  ['the tab is closed', (page) => page.close()],
  ['the tab goes to another address', (page) => page.goto('about:blank')],
  ['the page is reloaded', (page) => page.reload()],
  ['another page is opened by its address', (page, _, server) => page.goto(`${server.url}/?new`)],
];

for (const [way, leave] of WAYS) {
  test(`a ruling that waits is sent when ${way}, and the next page says so`, async ({
    page,
    context,
    server,
  }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices');
    await openLive(page, debate.url);
    await sendBack(page);
    await leave(page, context, server);
    await expect.poll(() => rulings(server, debate), { timeout: 5_000 }).toEqual(['Not yet.']);
    const stays = !page.isClosed() && page.url().startsWith(server.url);
    const next = stays ? page : await context.newPage();
    if (!stays) await next.goto(server.url);
    await expect(next.locator('[data-sent]').or(next.getByText('Your ruling is #4')).first()).toBeVisible();
    await expect(next.locator('[data-unsent]')).toHaveCount(0);
    expect(await rulings(server, debate)).toEqual(['Not yet.']);
    // The draft was sent with it.
    await next.goto(debate.url);
    await expect(next.getByText('Your draft is saved')).toBeHidden();
  });
}

test.describe('while the server is away', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  const DAY_MS = 86_400_000;
  for (const [clock, shift] of [
    ['however long ago', -DAY_MS],
    ['also if the clock was set back', DAY_MS],
  ] as const) {
    test(`a ruling outlives a closed tab, and is sent once the server is back, ${clock}`, async ({
      page,
      context,
      server,
    }) => {
      const debate = await agreedDebate(server.url, 'Cache the prices');
      await openLive(page, debate.url);
      await sendBack(page);
      await server.stop();
      await page.getByRole('button', { name: 'Send now' }).click();
      await expect(page.getByText('Waiting for the connection')).toBeVisible();
      await page.close();
      await server.startAgain();
      expect(await rulings(server, debate)).toEqual([]);
      const next = await context.newPage();
      await next.addInitScript((shift) => {
        for (const [key, value] of Object.entries(localStorage)) {
          if (!key.startsWith('aweave.unsent.')) continue;
          const ruling = JSON.parse(value as string);
          localStorage.setItem(key, JSON.stringify({ ...ruling, sendAt: ruling.sendAt + shift }));
        }
      }, shift);
      await next.goto(server.url);
      await expect.poll(() => rulings(server, debate), { timeout: 20_000 }).toEqual(['Not yet.']);
      await expect(next.locator('[data-unsent]')).toHaveCount(0);
    });
  }
});

test.describe('what is asked since is not answered by a ruling that was made for something else', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  /** What becomes of a ruling that waits, while `others` happens. */
  const SENT: [string, (page: Page, server: Server, others: () => Promise<void>) => Promise<unknown>][] = [
    [
      'is sent at its time',
      async (page, _, others) => {
        await others();
        await page.getByRole('button', { name: 'Send now' }).click();
      },
    ],
    [
      'waits for the server',
      async (page, server, others) => {
        await server.stop();
        await page.getByRole('button', { name: 'Send now' }).click();
        await expect(page.getByText('Waiting for the connection')).toBeVisible();
        await page.context().setOffline(true);
        await server.startAgain();
        await others();
        await page.context().setOffline(false);
      },
    ],
    [
      'is sent as the page is left',
      async (page, server, others) => {
        await others();
        await expect(page.locator('[data-debate]')).toContainText('Appeal');
        await page.goto(`${server.url}/?new`);
      },
    ],
    [
      'is sent by the next page',
      async (page, server, others) => {
        await server.stop();
        await page.goto('about:blank');
        await server.startAgain();
        await others();
        await page.goto(server.url);
      },
    ],
  ];
  for (const [way, happens] of SENT) {
    test(`where it ${way}`, async ({ page, server }) => {
      const debate = await agreedDebate(server.url, 'Cache the prices');
      await openLive(page, debate.url);
      await sendBack(page);
      await happens(page, server, async () => {
        await debate.rule('Somebody else: go on.');
        await debate.appealWith('Delete all of it?', [{ label: 'Yes' }, { label: 'No' }]);
      });
      await expect(page.locator('[data-unsent]')).toContainText('Ruled elsewhere; yours was not sent', {
        timeout: 20_000,
      });
      await page.goto(debate.url);
      await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Not yet.');
      await expect(page.locator('[data-unsent]')).toHaveCount(0);
      expect(await rulings(server, debate)).toEqual(['Somebody else: go on.']);
    });
  }

  test('also where the other ruling says the same', async ({ page, server }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices');
    await openLive(page, debate.url);
    await sendBack(page);
    await debate.rule('Not yet.');
    await debate.appeal('Delete all of it?');
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.locator('[data-unsent]')).toContainText('Ruled elsewhere; yours was not sent');
    expect(await rulings(server, debate)).toEqual(['Not yet.']);
  });
});

// Chromium's headless shell keeps no page, so that only what a page is told is the same.
test('a page that was left and comes back as it was is live again, and what waited was sent once', async ({
  page,
  server,
}) => {
  const debate = await agreedDebate(server.url, 'Cache the prices');
  await openLive(page, debate.url);
  await sendBack(page);
  const tell = (name: string) =>
    page.evaluate((name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true })), name);
  await tell('pagehide');
  await expect.poll(() => rulings(server, debate), { timeout: 5_000 }).toEqual(['Not yet.']);
  await debate.read();
  await debate.claim('proposer', 'Said while it was away.');
  await tell('pageshow');
  await expect(page.locator('[data-connection=live]').first()).toBeVisible();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await expect(page.locator('[data-type=RULING]')).toContainText('Not yet.');
  await expect(page.locator('article').last()).toContainText('Said while it was away.');
  expect(await rulings(server, debate)).toEqual(['Not yet.']);
});

test('every tab knows of a ruling that waits in another, and can undo it or send it now', async ({
  page,
  context,
  server,
}) => {
  const debate = await agreedDebate(server.url, 'Cache the prices');
  const other = await context.newPage();
  for (const tab of [other, page]) await openLive(tab, debate.url);
  await sendBack(page);
  const waits = other.locator('[data-unsent]');
  await expect(waits).toContainText('Not yet.');
  await expect(other.getByRole('button', { name: 'Send back' })).toBeHidden();
  await waits.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Not yet.');
  expect(await rulings(server, debate)).toEqual([]);

  await page.getByRole('button', { name: 'Send back' }).click();
  await waits.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => rulings(server, debate)).toEqual(['Not yet.']);
  for (const tab of [page, other]) {
    await expect(tab.locator('[data-unsent]')).toHaveCount(0);
    await expect(tab.getByText('Your draft is saved')).toBeHidden();
    await expect(tab.locator('[data-missed]')).toHaveCount(0);
  }
});

/** Nothing was sent, neither tab has it any more, and both have its draft. */
async function expectTakenBack(server: Server, debate: IssueDebate, tabs: Page[]) {
  for (const tab of tabs) {
    await expect(tab.locator('[data-connection=live]')).toBeVisible({ timeout: 30_000 });
    await expect(tab.locator('[data-unsent]')).toHaveCount(0);
    await expect(tab.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Not yet.');
  }
  expect(await rulings(server, debate)).toEqual([]);
}

test.describe('two tabs while the server is away: what one takes back the other does not send', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  /** The other tab takes over what the first has not sent in time. */
  const CRASHED_MS = 26_000;
  const waits = (tab: Page) => expect(tab.getByText('Waiting for the connection')).toBeVisible();
  /** Where the ten seconds are over meanwhile, the tab sends it, too, and the button has another name. */
  const takeBackIn = (tab: Page) => tab.getByRole('button', { name: /^(Undo|Cancel sending)$/ }).click();

  const WHO_SENDS: [string, (page: Page, other: Page) => Promise<unknown>][] = [
    [
      'Undo where the other one made it',
      async (page, other) => {
        await page.getByRole('button', { name: 'Send now' }).click();
        await waits(page);
        await takeBackIn(other);
      },
    ],
    [
      'Cancel where both send it',
      async (page, other) => {
        await page.getByRole('button', { name: 'Send now' }).click();
        await other.clock.fastForward(CRASHED_MS);
        await waits(other);
        await takeBackIn(page);
      },
    ],
  ];
  for (const [way, takeBack] of WHO_SENDS) {
    test(way, async ({ page, context, server }) => {
      const debate = await agreedDebate(server.url, 'Cache the prices');
      const other = await context.newPage();
      for (const tab of [other, page]) {
        await tab.clock.install();
        await openLive(tab, debate.url);
      }
      await sendBack(page);
      await server.stop();
      await takeBack(page, other);
      for (const tab of [page, other]) await expect(tab.locator('[data-unsent]')).toHaveCount(0);
      await server.startAgain();
      await expectTakenBack(server, debate, [page, other]);
    });
  }
});

for (const arrived of [false, true]) {
  test(`what one tab undoes while the other has no answer yet is ${arrived ? 'told as sent, which it was' : 'not sent again'}`, async ({
    page,
    context,
    server,
  }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices');
    const other = await context.newPage();
    let isLossy = true;
    const sockets: WebSocketRoute[] = [];
    await other.routeWebSocket(/ws/, (socket) => {
      sockets.push(socket);
      const behind = socket.connectToServer();
      let isLost = false;
      socket.onMessage((message) => {
        const isRuling = String(message).includes('submit_ruling');
        isLost ||= isLossy && isRuling;
        if (!isLost || arrived) behind.send(message);
      });
      behind.onMessage((message) => {
        if (!isLost) socket.send(message);
      });
    });
    for (const tab of [other, page]) await openLive(tab, debate.url);
    await sendBack(other);
    await other.getByRole('button', { name: 'Send now' }).click();
    await expect(other.getByText('Sending')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    isLossy = false;
    await sockets[0]?.close();
    await expect(other.locator('[data-unsent]')).toHaveCount(0, { timeout: 20_000 });
    if (!arrived) return expectTakenBack(server, debate, [page, other]);
    for (const tab of [page, other])
      await expect(tab.locator('[data-type=RULING]')).toContainText('Not yet.');
    expect(await rulings(server, debate)).toEqual(['Not yet.']);
  });
}

test('a page that can store nothing says so, and asks before it is left', async ({ page, server }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const debate = await agreedDebate(server.url, 'Cache the prices');
  await page.goto(debate.url);
  await page.getByRole('textbox', { name: 'Your ruling' }).pressSequentially('Not yet.');
  await expect(page.getByText('Not saved: the browser stores nothing')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  const left = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await left;
});

test('a duplicated tab does not send what waits in the first', async ({ page, context, server }) => {
  const debate = await agreedDebate(server.url, 'Cache the prices');
  await openLive(page, debate.url);
  await sendBack(page);
  const copied = await page.evaluate(() => ({ ...sessionStorage }));
  const other = await context.newPage();
  await other.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, String(value));
  }, copied);
  await other.goto(debate.url);
  await expect(other.locator('[data-unsent]')).toBeVisible();
  await other.close();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('textbox', { name: 'Your ruling' })).toHaveValue('Not yet.');
  expect(await rulings(server, debate)).toEqual([]);
});
