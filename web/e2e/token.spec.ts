import { Agents } from './support/agents';
import { Server } from './support/server';
import { expect, picture, test } from './support/test';

test.use({ expected: /Failed to load resource.*(401|403)|WebSocket connection to/ });

test('a token is asked for once, kept for the tab, and the agents’ one cannot rule', async ({ page }) => {
  const server = await Server.start({
    DEBATE_AUTH_TOKEN: 'agents-token',
    DEBATE_ARBITRATOR_TOKEN: 'my-token',
  });
  try {
    const agents = await new Agents(server.url, 'agents-token').create('Secret', 'Motion');
    await agents.claim('opponent', 'No.');
    await agents.appeal('Who is right?');
    await page.goto(`${server.url}/d/${agents.debateId}`);
    const field = page.getByLabel('Token', { exact: true });
    await picture(page, 'signed-out');
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'The server does not know' })).toBeVisible();
    await field.fill('agents-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.locator('[data-connection=live]')).toBeVisible();

    const box = page.getByRole('textbox', { name: 'Your ruling' });
    await box.fill('With the wrong hat on.');
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'This token belongs to the agents' }),
    ).toBeVisible();
    await expect(box).toHaveValue('With the wrong hat on.');
    await page.getByRole('button', { name: 'Use another token' }).click();
    await field.fill('my-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(box).toHaveValue('With the wrong hat on.');
    await page.reload();
    await expect(page.locator('[data-connection=live]')).toBeVisible();
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await expect(page.locator('[data-seq="4"]')).toContainText('With the wrong hat on.');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('my-token');
  } finally {
    await server.remove();
  }
});
