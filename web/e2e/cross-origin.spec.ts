import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { chromiumLaunch } from './support/chromium';
import { createDebate, post } from './support/rest';
import type { Server } from './support/server';
import { expect, test } from './support/test';

const launch = await chromiumLaunch();

/** Protections of newer browsers, which are switched off so that only the server's own protection is tested. */
const BROWSER_PROTECTIONS =
  'LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests';

const args = launch.args.map((arg) =>
  arg.startsWith('--disable-features=') ? `${arg},${BROWSER_PROTECTIONS}` : arg,
);

test.use({
  // Host names of other sites that resolve to this machine, as those of an attacker may.
  launchOptions: { ...launch, args: [...args, '--host-resolver-rules=MAP *.example 127.0.0.1'] },
  // The browser logs an error for each refused request.
  allowedErrors: /./,
});

let site: HttpServer;
let otherSite = '';

test.beforeAll(async () => {
  site = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end('<!doctype html><p>Hello'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  otherSite = `http://evil.example:${(site.address() as AddressInfo).port}`;
});

test.afterAll(() => void site.close());

/** Tries everything that a page can do to a server; returns what it could read. */
function attack(page: Page, target: string, debateId: string): Promise<string[]> {
  return page.evaluate(
    async ([target, debateId]) => {
      const got: string[] = [];
      const creation = JSON.stringify({
        debate_id: crypto.randomUUID?.() ?? '11111111-2222-4333-8444-555555555555',
        title: 'Made by another site',
        debate_type: 'general_debate',
        motion_content: 'Mine',
        client_request_id: 'other-site',
      });
      const stop = `/debates/${debateId}/intervention`;
      const reading = async (what: string, asked: Promise<Response>) => {
        const text = await asked.then((answer) => answer.text()).catch(() => '');
        if (text !== '' && !text.includes('"FORBIDDEN"')) got.push(`${what}: ${text}`);
      };
      const json = { 'content-type': 'application/json' };
      const text = { 'content-type': 'text/plain' };
      for (const mode of ['cors', 'no-cors', 'same-origin'] as const) {
        for (const path of ['/debates', `/debates/${debateId}`, '/health', '/openapi.json', '/']) {
          await reading(`fetch ${mode} ${path}`, fetch(target + path, { mode }));
        }
        for (const headers of [json, text]) {
          for (const path of ['/debates', stop]) {
            const write = fetch(target + path, { mode, method: 'POST', headers, body: creation });
            await reading(`post ${mode} ${path}`, write);
          }
        }
      }
      navigator.sendBeacon(target + stop, new Blob([creation], { type: 'text/plain' }));

      const ended = (element: HTMLElement & { src: string }, path: string, tag: string) =>
        new Promise<void>((resolve) => {
          element.onload = () => {
            // A frame also fires `load` for a refused page.
            if (tag !== 'iframe') got.push(`${tag} ${path}`);
            resolve();
          };
          element.onerror = () => resolve();
          element.src = target + path;
          document.body.append(element);
        });
      await ended(document.createElement('img'), '/icon.svg', 'img');
      await ended(document.createElement('script'), '/theme.js', 'script');
      await ended(document.createElement('iframe'), '/', 'iframe');

      for (const [path, type] of [
        ['/debates', 'text/plain'],
        [stop, 'application/x-www-form-urlencoded'],
      ] as const) {
        const frame = document.createElement('iframe');
        frame.name = `answer-${path}`;
        const form = document.createElement('form');
        Object.assign(form, { action: target + path, method: 'post', enctype: type, target: frame.name });
        const field = document.createElement('input');
        field.name = creation.slice(0, -1);
        field.value = '}';
        form.append(field);
        document.body.append(frame, form);
        const loaded = new Promise((resolve) => {
          frame.onload = resolve;
          setTimeout(resolve, 2000);
        });
        form.submit();
        await loaded;
      }

      await new Promise<void>((resolve) => {
        const socket = new WebSocket(`${target.replace('http', 'ws')}/ws`);
        socket.onopen = () => {
          got.push('a WebSocket');
          socket.send(JSON.stringify({ event: 'submit_intervention', data: { debate_id: debateId } }));
        };
        socket.onclose = () => resolve();
      });
      return got;
    },
    [target, debateId] as const,
  );
}

async function expectUnchanged(server: Server, debateId: string): Promise<void> {
  const list = await (await fetch(`${server.url}/debates`)).json();
  expect(list.data.total).toBe(1);
  const debate = await (await fetch(`${server.url}/debates/${debateId}`)).json();
  expect(debate.data.debate.last_seq).toBe(1);
}

test('a page of another site can read and change nothing, under any host name of this machine', async ({
  page,
  server,
}) => {
  const { id } = await createDebate(server.url, 'Ours', 'Motion');
  const { port } = new URL(server.url);
  await page.goto(otherSite);
  for (const target of [server.url, `http://localhost:${port}`, `http://rebound.example:${port}`]) {
    expect(await attack(page, target, id), target).toEqual([]);
  }
  await expectUnchanged(server, id);
});

test('a page whose host name is later resolved to this server can read and change nothing', async ({
  page,
  server,
}) => {
  const { id } = await createDebate(server.url, 'Ours', 'Motion');
  const rebound = `http://rebound.example:${new URL(server.url).port}`;
  // The page is served from elsewhere first; then the same origin is this server.
  await page.route(`${rebound}/before`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Hello' }),
  );
  await page.goto(`${rebound}/before`);
  expect(await attack(page, rebound, id)).toEqual([]);
  await expectUnchanged(server, id);
});

test('a link on another site opens a debate', async ({ page, server }) => {
  const { id } = await createDebate(server.url, 'Led here', 'Motion');
  await post(server.url, `/debates/${id}/intervention`, { content: '' });
  await page.goto(otherSite);
  await page.evaluate((to) => {
    const link = document.createElement('a');
    Object.assign(link, { href: to, textContent: 'There' });
    document.body.append(link);
  }, `${server.url}/d/${id}`);
  await page.getByRole('link', { name: 'There' }).click();
  await expect(page.getByRole('heading', { name: 'Led here' })).toBeVisible();
  await expect(page.locator('[data-connection=live]')).toBeVisible();
});
