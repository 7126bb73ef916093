import type { Request } from '@playwright/test';
import { Agents } from './support/agents';
import { agreedDebate, IssueDebate, raise } from './support/issueDebate';
import { expect, openLive, picture, SERVER_UNREACHABLE, test } from './support/test';

const stopButton = { name: 'Hold to step in: both sides wait until you rule' };

test('a Stop carries the reason, which survives a reload until then', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Reason', 'Motion');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await page.getByRole('button', { name: 'Add a reason' }).click();
  const reason = page.getByRole('textbox', { name: 'Reason for stopping, optional' });
  await expect(reason).toBeFocused();
  await page.keyboard.type('You argue about the wrong file.');
  await page.reload();
  await expect(reason).toHaveValue('You argue about the wrong file.');
  await picture(page, 'stop-reason');
  await page.getByRole('button', stopButton).click({ delay: 1150 });
  // What is to be decided takes the place of the debate.
  const decision = page.getByRole('region', { name: 'What you decide' });
  await expect(decision).toContainText('You argue about the wrong file.');
  expect((await agents.arguments()).at(-1)).toMatchObject({
    type: 'INTERVENTION',
    content: 'You argue about the wrong file.',
  });
  // It was sent, so that the next Stop begins without one.
  await page.getByRole('textbox', { name: 'Your ruling' }).fill('Go on.');
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.getByRole('button', { name: 'Add a reason' })).toBeVisible();
});

test('a Stop needs no reason', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('No reason', 'Motion');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await page.getByRole('button', stopButton).click({ delay: 1150 });
  await expect(page.getByText('The debate was stopped.')).toBeVisible();
  // Nobody has the turn, and an opponent that never came is not waited for.
  await expect(page.locator('#debate header').first()).not.toContainText(/has had its turn|not here yet/);
  // What can be pressed is not printed.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Rule and continue' })).toBeHidden();
  await expect(page.getByText('The debate was stopped.')).toBeVisible();
});

test('a debate that was stopped by mistake goes on without a word', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url);
  await debate.claim('opponent', 'Fine.');
  await page.goto(debate.url);
  await page.getByRole('button', stopButton).click({ delay: 1150 });
  // Closing it needs one.
  await page.getByRole('button', { name: 'Close the debate' }).click();
  await expect(page.getByText('Say in words')).toBeVisible();
  await page.getByRole('button', { name: 'Rule and continue' }).click();
  await expect(page.locator('[data-type=RULING]')).toContainText('Go on as before.');
});

test('keys lead to what can be done, whatever the length of the debate', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'The only one');
  await debate.claim('opponent', 'Fine.');
  await page.goto(debate.url);
  const stop = page.getByRole('button', stopButton);
  await expect(stop).toBeVisible();
  await page.keyboard.press('r');
  await expect(stop).toBeFocused();
  // And from the list.
  await page.getByRole('link', { name: 'The only one' }).focus();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to what you can do' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(stop).toBeFocused();
  // Also beside a draft that waits.
  await page.evaluate((id) => localStorage.setItem(`aweave.draft.${id}`, '{"text":"Later."}'), debate.id);
  await page.reload();
  await expect(page.getByText('Your draft is saved')).toBeVisible();
  await page.keyboard.press('r');
  await expect(stop).toBeFocused();
  await debate.appeal('Which?');
  await page.goto(debate.url);
  const box = page.getByRole('textbox', { name: 'Your ruling' });
  await expect(box).toBeVisible();
  // Also where the screen is too low for a bar that is always in view.
  await page.setViewportSize({ width: 1000, height: 320 });
  await page.getByRole('link', { name: 'The only one' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(box).toBeFocused();
  await expect(box).toBeInViewport({ ratio: 1 });
});

test.describe('the first issue comes late', () => {
  test.use({ allowedErrors: /Failed to load resource/ });

  for (const fails of [false, true]) {
    test(`what is being written stays${fails ? ', also where the issue cannot be fetched' : ''}`, async ({
      page,
      server,
    }) => {
      const debate = await IssueDebate.create(server.url);
      await page.goto(debate.url);
      await page.getByRole('button', stopButton).click({ delay: 1150 });
      const box = page.getByRole('textbox', { name: 'Your ruling' });
      await box.click();
      await page.keyboard.type('Name ');
      if (fails) await page.route('**/debates/*/issues*', (route) => route.abort());
      const isOfIssues = (request: Request) => new URL(request.url()).pathname.endsWith('/issues');
      const fetched = fails
        ? page.waitForEvent('requestfailed', isOfIssues)
        : page.waitForEvent('requestfinished', isOfIssues);
      await debate.claim('opponent', 'One fault.', [raise('high', 'No index is named')]);
      await expect(page.getByRole('region', { name: 'What you decide' })).toContainText('One fault.');
      await fetched;
      await page.keyboard.type('the index.');
      await expect(box).toHaveValue('Name the index.');
      await expect(box).toBeFocused();
      await expect(page.locator('[data-decide="I1"]')).toHaveCount(fails ? 0 : 1);
    });
  }
});

test('an opponent that never came is told as such', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Alone', 'Motion');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  const sides = page.getByRole('list', { name: 'What both sides are doing' });
  await expect(sides).toContainText('not here yet');
  await expect(sides).not.toContainText('has had its turn');
});

test.describe('offline', () => {
  test.use({ allowedErrors: SERVER_UNREACHABLE });

  test('a reason is not lost while the server is away', async ({ page, server }) => {
    const agents = await new Agents(server.url).create('Away', 'Motion');
    await openLive(page, `${server.url}/d/${agents.debateId}`);
    await page.getByRole('button', { name: 'Add a reason' }).click();
    await page.keyboard.type('Wait.');
    await server.stop();
    await page.getByRole('button', stopButton).click({ delay: 1150 });
    await expect(page.getByText('Waiting for the connection.')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel sending' }).click();
    await expect(page.getByRole('textbox', { name: 'Reason for stopping, optional' })).toHaveValue('Wait.');
    await server.startAgain();
    await expect(page.locator('[data-connection=live]')).toBeVisible({ timeout: 30_000 });
    await page.getByRole('button', stopButton).click({ delay: 1150 });
    await expect(page.getByRole('region', { name: 'What you decide' })).toContainText('Wait.');
  });
});

test('one click closes a debate on a resolution, and a text of one’s own is never overwritten', async ({
  page,
  server,
}) => {
  for (const text of ['', 'Agreed, good work.']) {
    const debate = await IssueDebate.create(server.url);
    await debate.claim('opponent', 'Fine.');
    await debate.resolution('We agree.');
    await page.goto(debate.url);
    await page.getByRole('textbox', { name: 'Your ruling' }).fill(text);
    await page.getByRole('button', { name: 'Agreed, close' }).click();
    await expect(page.getByText('This debate is closed')).toBeVisible();
    await expect(page.locator('[data-seq="4"]')).toContainText(text || 'Agreed.');
    await expect(page.getByRole('alertdialog')).toBeHidden();
  }
});

test('what is closed has no live connection to show, and says what it leaves open', async ({
  page,
  server,
}) => {
  const debate = await agreedDebate(server.url, 'Agreed', 'A small fault');
  await debate.ruling('Done.', true);
  await page.goto(debate.url);
  await expect(page.getByRole('region', { name: 'Your actions' })).toContainText(
    /Agreed\s*1 issue not settled/,
  );
  await expect(page.locator('[data-connection=live]')).toHaveCSS('clip-path', 'inset(50%)');
});

test('an appeal has no such button', async ({ page, server }) => {
  const agents = await new Agents(server.url).create('Appeal', 'Motion');
  await agents.claim('opponent', 'No.');
  await agents.appeal('Which?');
  await page.goto(`${server.url}/d/${agents.debateId}`);
  await expect(page.getByRole('button', { name: 'Rule and continue' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Agreed, close' })).toBeHidden();
});
