import type { Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { openWithSlowClock } from './support/clock';
import { agreedDebate, disputedDebate, IssueDebate, raise, referringDebate } from './support/issueDebate';
import { addVersion, planDebate } from './support/planDebate';
import { expect, openLive, partsLoaded, SERVER_UNREACHABLE, test } from './support/test';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 320, height: 568 };

/** Of a view: what clicks unfold would go on for ever. */
const MOST_CONTROLS = 120;

/** Within which a page that runs is paused. */
const A_FEW_SECONDS_MS = 10_000;

/** How far the page is scrolled, which it never is: its parts scroll. */
const scrolled = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, document.body, document.querySelector('main')].map((e) => e?.scrollTop),
  );

for (const viewport of [DESKTOP, SMALL_PHONE]) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    test('a decision on an issue, by mouse and by Tab, does not scroll the page away', async ({
      page,
      server,
    }) => {
      const debate = await referringDebate(server.url, 30);
      for (const address of [debate.url, server.url]) {
        await page.goto(address);
        for (const id of ['I1', 'I15', 'I30']) {
          const row = page.locator(`[data-decide="${id}"]`);
          for (const choice of ['Uphold', 'Dismiss']) {
            await row.getByText(choice).click();
            await expect(row.getByRole('radio', { name: choice })).toBeChecked();
            expect(await scrolled(page)).toEqual([0, 0, 0]);
          }
        }
        for (let press = 0; press < 40; press++) {
          await page.keyboard.press('Tab');
          expect(await scrolled(page)).toEqual([0, 0, 0]);
        }
      }
    });
  });
}

for (const viewport of [DESKTOP, PHONE]) {
  test(`${viewport.width} px: what is chosen and written in the bar leaves the page where it is`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    const debate = await referringDebate(server.url, 12, ['All', 'None']);
    const box = page.getByRole('textbox', { name: 'Your ruling' });
    for (const address of [debate.url, server.url]) {
      await page.goto(address);
      const first = page.locator('[data-decide="I1"]');
      await expect(first).toBeVisible();
      const top = async () => Math.round((await first.boundingBox())?.y ?? 0);
      const other = page.getByText('Something else', { exact: true });
      await other.scrollIntoViewIfNeeded();
      const before = await top();
      await other.click();
      await expect(box).toBeFocused();
      await box.press('a');
      await box.pressSequentially(' line\nand one more');
      expect(await top()).toBe(before);
      await box.blur();
      // Not by the locator, which scrolls by itself before it clicks.
      const { x, y } = (await box.boundingBox()) ?? { x: 0, y: 0 };
      await page.mouse.click(x + 9, y + 9);
      await expect(box).toBeFocused();
      await page.keyboard.type('!');
      expect(await top()).toBe(before);
      await box.fill('');
      await page.getByRole('radio', { name: 'All' }).check();
    }
  });
}

for (const pause of [0, 350, 690]) {
  test(`a second click after ${pause} ms does not close the debate that took the place of the first`, async ({
    page,
    server,
  }) => {
    for (const title of ['One', 'Two', 'Three']) await agreedDebate(server.url, title);
    await page.clock.install();
    await page.goto(server.url);
    const button = page.getByRole('button', { name: 'Agreed, close' });
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const click = () => page.mouse.click(x + width / 2, y + height / 2);
    const cards = page.locator('[data-card]');
    // From here on only the test moves the clock, so that a slow machine clicks in time, too.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + A_FEW_SECONDS_MS);
    await click();
    await click();
    // The next card has just come under the pointer.
    await expect(cards).toHaveCount(2);
    await page.clock.runFor(pause);
    await click();
    await page.clock.runFor(800);
    await expect(page.locator('[data-unsent]')).toHaveCount(0);
    await expect(cards).toHaveCount(2);
    await click();
    await expect(cards).toHaveCount(1);
  });
}

async function lastSeq(server: string, { id }: IssueDebate): Promise<number> {
  const answer = await fetch(`${server}/debates/${id}?limit=1`);
  return (await answer.json()).data.debate.last_seq;
}

test.describe('a ruling waits before it is sent', () => {
  test.use({ sendsAtOnce: false });

  test('it can be undone, and is sent at once on demand', async ({ page, server }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices');
    await page.goto(debate.url);
    const box = page.getByRole('textbox', { name: 'Your ruling' });
    await box.fill('Not yet.');
    await page.getByRole('button', { name: 'Send back' }).click();
    const unsent = page.locator('[data-unsent]');
    await expect(unsent).toContainText('Cache the prices');
    await expect(unsent).toContainText(
      /Sends it back · Sent in \d+ sec, or when you leave this page\s*Not yet\./,
    );
    // The focus is where the eye is.
    await expect(unsent.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(unsent).toBeHidden();
    await expect(box).toHaveValue('Not yet.');
    await expect(box).toBeFocused();
    await box.blur();

    await page.getByRole('button', { name: 'Agreed, close' }).click();
    await expect(unsent).toContainText('Closes it');
    await page.keyboard.press('z');
    await expect(unsent).toBeHidden();
    expect(await lastSeq(server.url, debate)).toBe(3);

    // From another page, too.
    await page.getByRole('button', { name: 'Send back' }).click();
    await page.keyboard.press('u');
    await unsent.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
    await expect(page.locator('#debate')).toBeFocused();
    // It stays plain that it was sent, until one has seen that.
    const sent = page.locator('[data-sent]');
    await expect(sent).toContainText('Sent: your ruling is #4');
    await expect(sent.getByRole('link', { name: 'Cache the prices' })).toBeVisible();
    await sent.getByRole('button', { name: 'Hide this notice' }).click();
    await expect(sent).toBeHidden();
    expect(await lastSeq(server.url, debate)).toBe(4);
  });

  test('what is chosen is said beside the buttons, before the debate is closed, and until it is sent', async ({
    page,
    server,
  }) => {
    const debate = await IssueDebate.create(server.url, 'Cache the prices');
    await debate.claim('opponent', 'Two faults.', [
      raise('high', 'Never evicted'),
      raise('low', 'No metric'),
    ]);
    await debate.appeal('Which?', [], ['For an hour', 'Not at all']);
    await page.goto(debate.url);
    const summary = page.locator('[data-ruling-summary]');
    await expect(summary).toBeHidden();
    // Something else has to be said in words.
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByRole('group', { name: /I2/ }).getByText('Uphold').click();
    const box = page.getByRole('textbox', { name: 'Your ruling' });
    await expect(box).toHaveAttribute('placeholder', /^Decide in words/);
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(page.getByText('Say in words')).toBeVisible();
    await expect(box).toBeFocused();
    await page.getByRole('button', { name: 'Close the debate, 2 issues not settled' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page.locator('[data-unsent]')).toHaveCount(0);
    await page.getByRole('radio', { name: 'Not at all' }).check();
    await expect(page.getByText('Say in words')).toBeHidden();
    await page.getByRole('group', { name: /I2/ }).getByText('Dismiss').click();
    const chosen = 'Not at all · I2 dismissed';
    await expect(summary).toContainText(chosen);
    await box.fill('As #2 says.\nAnd not before Friday.');
    await page.getByRole('button', { name: 'Close the debate' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(chosen);
    await expect(dialog).toContainText('I1 High Never evicted');
    await expect(dialog).not.toContainText('No metric');
    await dialog.getByRole('button', { name: 'Close for good' }).click();
    const unsent = page.locator('[data-unsent]');
    await expect(unsent).toContainText(chosen);
    await expect(unsent).toContainText('Closes it, 1 issue not settled (I1 High)');
    // With all of its text, while the form stays as it is, and can be changed once it is undone.
    await expect(unsent).toContainText('And not before Friday.');
    const decided = page.getByRole('group', { name: 'Your decision on I2' });
    const option = page.getByRole('radio', { name: 'Not at all' });
    await expect(page.locator('[data-ruling-buttons]')).toBeHidden();
    await expect(option).toBeChecked();
    await expect(option).toBeDisabled();
    await expect(decided.getByRole('radio', { name: 'Dismiss' })).toBeDisabled();
    await unsent.getByRole('button', { name: 'Undo' }).click();
    await expect(summary).toContainText(chosen);
    await expect(option).toBeChecked();
    await expect(decided.getByRole('radio', { name: 'Dismiss' })).toBeChecked();
    await expect(box).toHaveValue('As #2 says.\nAnd not before Friday.');
  });

  test('after ten seconds it is sent, once', async ({ page, server }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices');
    await page.clock.install();
    await page.goto(debate.url);
    await page.getByRole('button', { name: 'Agreed, close' }).click();
    await expect(page.locator('[data-unsent]')).toBeVisible();
    await page.clock.fastForward(8_000);
    expect(await lastSeq(server.url, debate)).toBe(3);
    await expect(page.getByText('This debate is closed')).toBeVisible();
    expect(await lastSeq(server.url, debate)).toBe(4);
  });
});

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({
      colorScheme,
      viewport,
      locale,
      sendsAtOnce: false,
      contextOptions: { reducedMotion: 'reduce' },
    });

    test('axe finds no violations while a ruling waits', async ({ page, server }) => {
      const debate = await agreedDebate(server.url, 'Cache the prices');
      await page.goto(debate.url);
      await page
        .locator('form button:enabled')
        .filter({ hasText: /Agreed|Đồng ý/ })
        .click();
      await expect(page.locator('[data-unsent]')).toBeVisible();
      await expectNoViolations(page, `${name}-unsent`);
    });
  });
}

test('closing what is agreed asks only where the ruling itself leaves something open', async ({
  page,
  server,
}) => {
  const debate = await agreedDebate(server.url, 'A name', 'The name says nothing');
  await page.goto(debate.url);
  await expect(page.getByRole('button', { name: /^Agreed, close/ })).toHaveAttribute('data-primary');
  await page.getByRole('group', { name: /I1/ }).getByText('Uphold').click();
  // It goes back by default then, as the keys do.
  await expect(page.getByRole('button', { name: 'Send back' })).toHaveAttribute('data-primary');
  await expect(page.getByText('Ctrl + Enter: Send back')).toBeVisible();
  await expect(page.locator('[data-follows]')).toContainText('If you send it back:');
  await page.getByRole('button', { name: 'Close the debate, 1 issue not settled' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('1 issue not settled');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await lastSeq(server.url, debate)).toBe(3);
});

test('closing asks where the opponent cannot have agreed', async ({ page, server }) => {
  const { debate, plan } = await planDebate(server.url);
  await addVersion(server.url, plan, 'Something else', '# Another plan');
  await debate.claim('proposer', `See doc_id=${plan} v4.`);
  await debate.claim('opponent', 'Dismissed.', [{ change: 'withdraw', issue: 'I3' }]);
  await addVersion(server.url, plan, 'Something new', '# A third plan');
  await debate.resolution(`We agree on doc_id=${plan} v5.`);
  await page.goto(debate.url);
  await expect(page.getByText('The opponent has not seen version 5')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send back' })).toHaveAttribute('data-primary');
  await page.getByRole('button', { name: 'Close the debate' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('has not seen version 5');
});

test('buttons keep their place and meaning while a text is written, and a text that is too long is not sent', async ({
  page,
  server,
}) => {
  const debate = await agreedDebate(server.url, 'Cache the prices');
  await page.goto(debate.url);
  const buttons = page.locator('form button').filter({ hasText: /Agreed|Close|Send back/ });
  const look = () =>
    buttons.evaluateAll((all) => all.map(({ textContent, className }) => `${textContent} ${className}`));
  await expect(buttons).toHaveCount(2);
  const before = await look();
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await box.fill('Agreed. Good work.');
  expect(await look()).toEqual(before);
  await box.fill('x'.repeat(10_241));
  for (const button of await buttons.all()) await expect(button).toBeDisabled();
  await box.fill('x'.repeat(10_240));
  for (const button of await buttons.all()) await expect(button).toBeEnabled();
});

for (const viewport of [DESKTOP, { width: 1024, height: 768 }]) {
  test(`${viewport.width} px: a box with more than one line has all of the width, and no button moves`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    const debate = await referringDebate(server.url, 12, ['All', 'None']);
    for (const address of [debate.url, server.url]) {
      await page.goto(address);
      const box = page.getByRole('textbox', { name: 'Your ruling' });
      await box.fill('One line.');
      const places = () =>
        page
          .locator('[data-ruling-buttons] button:not([data-term])')
          .evaluateAll((all) => all.map((each) => JSON.stringify(each.getBoundingClientRect())));
      await expect(page.locator('[data-follows]')).toContainText('Proposer ');
      const before = await places();
      const narrow = (await box.boundingBox())?.width ?? 0;
      await box.press('End');
      await box.pressSequentially('\nAnother line.\nAnd a third.');
      await expect.poll(async () => (await box.boundingBox())?.width).toBeGreaterThan(narrow * 1.3);
      expect(await places()).toEqual(before);
      await box.fill('');
      await expect.poll(async () => (await box.boundingBox())?.width).toBe(narrow);
    }
  });
}

test('an address of an argument that is not there says so', async ({ page, server }) => {
  const debate = await agreedDebate(server.url, 'Cache the prices');
  await page.goto(`${debate.url}#9999`);
  await expect(page.getByText('There is no argument #9999')).toBeVisible();
});

test.describe('outage', () => {
  test.use({ allowedErrors: new RegExp(`${SERVER_UNREACHABLE.source}|ChunkLoadError`) });

  test('panels, documents, shortcuts, menus and the inbox open while the server is away', async ({
    page,
    server,
  }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices', 'A fault');
    await openLive(page, debate.url);
    await partsLoaded(page);
    await server.stop();
    await page.keyboard.press('i');
    await expect(page.locator('[data-issue=I1]')).toBeVisible();
    await page.keyboard.press('i');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toContainText('Undo a ruling');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
    await expect(page.locator('[data-connection=reconnecting]').first()).toBeVisible();
    await expect(page.getByText('This page has failed')).toBeHidden();
    // What the card could not fetch comes by itself.
    await server.startAgain();
    await expect(page.locator('[data-card]')).toContainText('Everything is agreed.', { timeout: 40_000 });
  });

  test('a part that cannot be loaded comes once the server is back, and leaves the rest', async ({
    page,
    server,
  }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices', 'A fault');
    await openWithSlowClock(page, debate.url);
    await server.stop();
    await page.clock.resume();
    await page.keyboard.press('i');
    await expect(page.getByRole('heading', { level: 1, name: 'Cache the prices' })).toBeVisible();
    await server.startAgain();
    await expect(page.locator('[data-issue=I1]')).toBeVisible({ timeout: 40_000 });
  });

  test('after an upgrade a part says that it has failed, and leaves the rest', async ({ page, server }) => {
    const debate = await agreedDebate(server.url, 'Cache the prices', 'A fault');
    await openWithSlowClock(page, debate.url);
    await page.route('**/_next/static/chunks/**', (route) => route.fulfill({ status: 404 }));
    await page.clock.resume();
    await page.keyboard.press('i');
    await expect(page.getByRole('heading', { name: 'This part has failed' })).toBeVisible({
      timeout: 20_000,
    });
    await expect(page.getByRole('button', { name: 'Send back' })).toBeVisible();
  });
});

test('a drawer that is closed while it is loaded returns the focus', async ({ page, server }) => {
  const debate = await agreedDebate(server.url, 'Cache the prices');
  await openWithSlowClock(page, debate.url);
  await page.route('**/_next/static/chunks/**', () => undefined);
  const documents = page.getByRole('link', { name: 'Documents' });
  await documents.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(documents).toBeFocused();
});

/** Whether the page was scrolled at any moment since it was loaded. */
async function watchScrolls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      const all = [document.documentElement, document.body, document.querySelector('main')];
      if (all.some((e) => e?.scrollTop)) Object.assign(window, { wasScrolled: true });
    };
    addEventListener('scroll', look, { capture: true });
  });
}

/** How far the page is scrolled, whether it ever was, and the middle of a control, once it is in view; null if there is none any more. */
const look = (page: Page, index: number) =>
  page.evaluate((index) => {
    const all = [document.documentElement, document.body, document.querySelector('main')];
    const scrolled = ['wasScrolled' in window, ...all.map((e) => e?.scrollTop)];
    const controls = [...document.querySelectorAll('button, label, summary, select')];
    const control = controls.filter((element) => element.checkVisibility())[index];
    if (control === undefined) return { scrolled, place: null };
    control.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = control.getBoundingClientRect();
    return { scrolled, place: { x: x + width / 2, y: y + height / 2, name: control.textContent } };
  }, index);

for (const viewport of [DESKTOP, SMALL_PHONE]) {
  test.describe(`${viewport.width} px, every control`, () => {
    test.use({ viewport, sendsAtOnce: false });

    test('by Tab and by click, the page itself never scrolls', async ({ page, server }) => {
      test.setTimeout(120_000);
      await watchScrolls(page);
      const debate = await disputedDebate(server.url);
      const { debate: planned, plan } = await planDebate(server.url);
      // Each with what it loads last.
      const views = [
        [server.url, '[data-card] [data-ruling-buttons]'],
        [debate.url, '[data-ruling-buttons]'],
        [`${debate.url}#7`, '[data-seq="7"]'],
        [`${debate.url}#I2`, '#issues [data-issue=I2]'],
        [`${debate.url}?record`, '.record-screen article'],
        [`${planned.url}?plan`, '#plan .prose'],
        [`${planned.url}?doc=${plan}`, '[role=dialog] .prose'],
        [`${planned.url}?docs`, `[role=dialog] [href*="${plan}"]`],
        [`${server.url}/?list`, '[data-debate]'],
      ] as const;
      for (const [view, loadedLast] of views) {
        await page.goto(view);
        await expect(page.locator(loadedLast).first()).toBeVisible();
        for (let press = 0; press < 40; press++) await page.keyboard.press('Tab');
        let last = '';
        // A click may show others, or close what the next ones are in.
        for (let index = 0; ; index++) {
          const { scrolled, place } = await look(page, index);
          expect(scrolled, `${view}, ${last}`).toEqual([false, 0, 0, 0]);
          if (place === null || index === MOST_CONTROLS) break;
          last = place.name ?? '';
          await page.mouse.click(place.x, place.y);
          await page.keyboard.press('Escape');
        }
      }
    });
  });
}
