import { Agents } from './support/agents';
import { Postgres } from './support/postgres';
import { Server } from './support/server';
import { expect, openLive, test } from './support/test';

// Chromium and two servers start beside a PostgreSQL server.
test.setTimeout(120_000);

test('a viewer on one server sees who waits on another', async ({ page }) => {
  const postgres = await Postgres.start();
  const servers = await Promise.all([0, 1].map(() => Server.start({ DATABASE_URL: postgres.url })));
  const [first, second] = servers.map(({ url }) => url) as [string, string];
  const agents = await new Agents(first).create('Two servers', 'Motion');
  await openLive(page, `${second}/d/${agents.debateId}`);
  await expect(page.getByText('Proposer does not wait')).toBeAttached();

  const waiting = page.getByText(/^Proposer waits for/);
  const stopping = new AbortController();
  const path = `/debates/${agents.debateId}/wait?role=proposer&argument_id=${agents.last}`;
  const start = performance.now();
  const wait = fetch(first + path, { signal: stopping.signal }).catch(() => null);
  await waiting.waitFor({ state: 'attached' });
  test
    .info()
    .annotations.push({ type: 'shown after', description: `${Math.round(performance.now() - start)} ms` });
  stopping.abort();
  await wait;
  await expect(waiting).not.toBeAttached();

  await page.close();
  await Promise.all(servers.map((server) => server.remove()));
  await postgres.remove();
});
