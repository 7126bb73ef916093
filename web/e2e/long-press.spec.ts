import type { Page } from '@playwright/test';
import { Agents } from './support/agents';
import { expect, openLive, test } from './support/test';

const START = new Date('2030-01-01T00:00:00Z');

/** Opens a debate with a stopped clock, so that the length of a press does not depend on the machine. */
async function open(page: Page, url: string): Promise<Agents> {
  const agents = await new Agents(url).create('Long press', 'Motion');
  await page.clock.install({ time: START });
  await openLive(page, `${url}/d/${agents.debateId}`);
  await page.clock.pauseAt(START.getTime() + 3_600_000);
  return agents;
}

/** Presses for this long with any device. */
async function pressFor(
  page: Page,
  ms: number,
  press: () => Promise<unknown>,
  release: () => Promise<unknown>,
): Promise<void> {
  await press();
  await expect(page.locator('[data-pressing=true] .press-progress')).toBeAttached();
  await page.clock.runFor(ms);
  await release();
  await page.clock.runFor(1500);
}

const stop = (page: Page) => page.getByRole('button', { name: /Hold to step in|Keep holding/ });
const stopped = (page: Page) => page.getByRole('region', { name: 'What you decide' });

async function expectOneIntervention(agents: Agents): Promise<void> {
  const types = (await agents.arguments()).map(({ type }) => type);
  expect(types).toEqual(['MOTION', 'INTERVENTION']);
}

async function expectNoIntervention(agents: Agents): Promise<void> {
  expect(await agents.arguments()).toHaveLength(1);
}

async function shortThenLong(
  page: Page,
  agents: Agents,
  press: () => Promise<unknown>,
  release: () => Promise<unknown>,
) {
  await pressFor(page, 700, press, release);
  await expect(page.getByRole('status').getByText('Too short')).toBeAttached();
  await expectNoIntervention(agents);
  await pressFor(page, 1150, press, release);
  await expect(stopped(page)).toBeVisible();
  await expectOneIntervention(agents);
}

test('mouse: 0.7 s sends nothing, 1.15 s exactly one', async ({ page, server }) => {
  const agents = await open(page, server.url);
  await stop(page).hover();
  await shortThenLong(
    page,
    agents,
    () => page.mouse.down(),
    () => page.mouse.up(),
  );
});

for (const key of ['Space', 'Enter']) {
  test(`keyboard, ${key}: 0.7 s sends nothing, 1.15 s exactly one`, async ({ page, server }) => {
    const agents = await open(page, server.url);
    await stop(page).focus();
    const press = async () => {
      await page.keyboard.down(key);
      // The second event is a repetition by the keyboard, not a new press.
      await page.keyboard.down(key);
    };
    await shortThenLong(page, agents, press, () => page.keyboard.up(key));
  });
}

test.describe('touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('0.7 s sends nothing, 1.15 s exactly one', async ({ page, server }) => {
    const agents = await open(page, server.url);
    const box = await stop(page).boundingBox();
    if (box === null) throw new Error('the button is not visible');
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const cdp = await page.context().newCDPSession(page);
    await shortThenLong(
      page,
      agents,
      () => cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] }),
      () => cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    );
  });
});

test('Escape, a lost focus, and a pointer that leaves the button cancel the press', async ({
  page,
  server,
}) => {
  const agents = await open(page, server.url);
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
    () => stop(page).blur(),
  ];
  for (const cancel of ways) {
    await stop(page).focus();
    await page.keyboard.down('Space');
    await expect(page.locator('[data-pressing=true]')).toBeAttached();
    await page.clock.runFor(700);
    await cancel();
    await expect(page.locator('[data-pressing=false]')).toBeAttached();
    await page.clock.runFor(1000);
    await page.keyboard.up('Space');
  }
  await stop(page).hover();
  await page.mouse.down();
  await page.clock.runFor(700);
  await page.mouse.move(5, 5);
  await page.clock.runFor(1000);
  await page.mouse.up();
  await expectNoIntervention(agents);
});

test('a click without a press, as screen readers send it, asks for confirmation', async ({
  page,
  server,
}) => {
  const agents = await open(page, server.url);
  await page.clock.resume();
  await stop(page).dispatchEvent('click');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expectNoIntervention(agents);
  await stop(page).dispatchEvent('click');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop the debate' }).click();
  await expect(stopped(page)).toBeVisible();
  await expectOneIntervention(agents);
});
