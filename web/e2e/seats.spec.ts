import { randomUUID } from 'node:crypto';
import { createDebate } from './support/rest';
import { expect, picture, test } from './support/test';

const KEY = 'k'.repeat(43);

async function claim(server: string, id: string, target: string, seat?: string) {
  const answer = await fetch(`${server}/debates/${id}/arguments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(seat && { 'x-debate-seat': seat }) },
    body: JSON.stringify({
      role: 'opponent',
      target_id: target,
      content: 'No.',
      client_request_id: randomUUID(),
    }),
  });
  return await answer.json();
}

test('the arbitrator sees who holds a seat, and frees it after a confirmation', async ({ page, server }) => {
  const { id, motion } = await createDebate(server.url, 'Seats', 'Motion');
  await page.goto(`${server.url}/d/${id}`);
  await expect(page.locator('[data-seq="1"]')).toBeVisible();
  const button = page.getByRole('button', { name: 'More' });
  await button.click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expect(page.getByRole('menu').getByText('Seats')).toHaveCount(0);
  await page.keyboard.press('Escape');
  expect((await claim(server.url, id, motion, KEY)).success).toBe(true);
  await button.click();
  await expect(page.getByRole('menuitem', { name: 'Proposer: Free' })).toBeDisabled();
  await picture(page, 'seats');
  await page.getByRole('menuitem', { name: 'Free the seat of the Opponent' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Free the seat: Opponent?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button.click();
  await page.getByRole('menuitem', { name: 'Free the seat of the Opponent' }).click();
  await dialog.getByRole('button', { name: 'Free the seat' }).click();
  await expect(page.getByText('Opponent: the seat is free')).toBeVisible();
  await button.click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /seat/ })).toHaveCount(0);
  const { data } = await (await fetch(`${server.url}/debates/${id}`)).json();
  expect(data.debate.seats).toEqual({ proposer: false, opponent: false });
});

test('the words about a side lead to its seat, on a phone, too', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { id, motion } = await createDebate(server.url, 'Seats', 'Motion');
  expect((await claim(server.url, id, motion, KEY)).success).toBe(true);
  await page.goto(`${server.url}/d/${id}`);
  const sides = page.getByRole('list', { name: 'What both sides are doing' });
  // Which side it is stands there, not its program alone.
  await expect(sides.getByRole('button')).toHaveText([/^Proposer /, /^Opponent /]);
  await sides.getByRole('button', { name: /^Opponent/ }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /Free the seat/ })).toHaveCount(1);
  await menu.getByRole('menuitem', { name: 'Free the seat of the Opponent' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Free the seat' }).click();
  await expect(page.getByText('Opponent: the seat is free')).toBeVisible();
});
