import { planDebate } from './support/planDebate';
import { expect, test } from './support/test';

const LEFT_OUT = '2 entries are left out, as the server cannot read them';

test('each list says how many entries the server cannot read and leaves out', async ({ page, server }) => {
  const { debate, plan } = await planDebate(server.url);
  const fault = { debate_id: debate.id, seq: 1 };
  // What the server answers then is tested with it; here it is told of lists that are whole.
  await page.route(/\/(debates|documents|versions)(\?[^/]*)?$/, async (route) => {
    const response = await route.fetch();
    const { data, ...others } = await response.json();
    await route.fulfill({ response, json: { ...others, data: { ...data, faults: [fault, fault] } } });
  });
  await page.goto(server.url);
  await expect(page.getByRole('navigation', { name: 'List of debates' })).toContainText(LEFT_OUT);
  await page.getByRole('link', { name: 'Documents' }).click();
  const documents = page.getByRole('dialog');
  await expect(documents.getByRole('note')).toHaveText(LEFT_OUT);
  await page.goto(`${server.url}/?doc=${plan}&view=versions`);
  await expect(documents.locator('[data-version]')).toHaveCount(3);
  await expect(documents.getByRole('note')).toHaveText(LEFT_OUT);
});

test('a list in which all can be read says nothing of it', async ({ page, server }) => {
  await planDebate(server.url);
  await page.goto(server.url);
  await expect(page.locator('[data-debate]')).toHaveCount(1);
  await expect(page.getByRole('note')).toHaveCount(0);
});
