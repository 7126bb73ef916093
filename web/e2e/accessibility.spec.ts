import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { APPEARANCES, expectNoViolations } from './support/accessibility';
import { Agents } from './support/agents';
import { referringDebate } from './support/issueDebate';
import { Server } from './support/server';
import { test as base, expect } from './support/test';

const MOTION = `# Plan

1. Register, then *read*.
2. [Notes](https://example.com/notes) and ![a chart](https://example.com/chart.png)

- [x] done
- [ ] open

| Risk | | Mitigation |
|---|---|---|
| \`SQLITE_BUSY\` | low | one writer |

\`\`\`rust
// Registers before it reads.
fn main() { let answer: u32 = 42; println!("{answer}"); }
\`\`\`

> Quoted[^1]

[^1]: A footnote.`;

type Debates = Record<'active' | 'asking' | 'closed', Agents>;

async function createDebates(server: Server): Promise<Debates> {
  const active = await new Agents(server.url).create(
    'Retry policy for long polling',
    MOTION,
    'coding_plan_debate',
  );
  await active.claim('opponent', `${'The waiter map must be cleaned when a client drops. '.repeat(60)}`);
  const asking = await new Agents(server.url).create('Tách thành hai tiến trình?', MOTION);
  await asking.claim('opponent', 'Không cần thiết.');
  await asking.appeal('### Who is right?', ['Two processes: more to run', 'One: simpler']);
  const closed = await new Agents(server.url).create('Names of types', 'In capitals.');
  await closed.claim('opponent', 'Agreed.');
  await closed.requestCompletion('All agreed.');
  await closed.ruling('Fine.', '--close');
  return { active, asking, closed };
}

/** The tests only read, so they share one server. */
const test = base.extend<object, { shared: { server: Server; debates: Debates } }>({
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = await Server.start();
      await use({ server, debates: await createDebates(server) });
      await server.remove();
    },
    { scope: 'worker' },
  ],
  server: ({ shared }, use) => use(shared.server),
});
test.describe.configure({ mode: 'default' });

for (const [name, colorScheme, viewport, locale] of APPEARANCES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport, locale, contextOptions: { reducedMotion: 'reduce' } });
    test.use({ allowedErrors: /Failed to load resource.*404/ });

    test('axe finds no violations', async ({ page, server, shared }) => {
      const { active, asking, closed } = shared.debates;
      await page.goto(server.url);
      await expect(page.locator('[data-card]')).toBeVisible();
      await expectNoViolations(page, `${name}-inbox`);
      const rows = page.locator('[data-debate]:visible');
      if (viewport.width < 768) {
        await page.goto(`${server.url}/?list`);
        await expect(rows).toHaveCount(3);
        await expectNoViolations(page, `${name}-list`);
      } else {
        await expect(rows).toHaveCount(3);
      }
      for (const [what, { debateId }] of Object.entries({ active, asking, closed })) {
        await page.goto(`${server.url}/d/${debateId}`);
        await expect(page.locator('[data-connection=live]')).toBeAttached();
        await expect(page.locator('[data-seq="1"], form .prose').first()).toBeAttached();
        await expectNoViolations(page, `${name}-${what}`);
      }
      await page.goto(`${server.url}/d/${active.debateId}#1`);
      await expect(page.locator('[data-seq="1"] [class^=hljs]').first()).toBeVisible();
      await expectNoViolations(page, `${name}-motion`);
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, `${name}-shortcuts`);
      await page.goto(`${server.url}/d/00000000-0000-4000-8000-000000000000`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoViolations(page, `${name}-missing`);
    });
  });
}

/** What axe, which is in the page, says of targets while the control is at so many pixels above the bar. */
async function tooSmall(page: Page, control: Locator): Promise<string[]> {
  await new AxeBuilder({ page }).setLegacyMode().withRules(['target-size']).include('form').analyze();
  return control.evaluate(async (control) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const bar = document.querySelector('[data-ruling-buttons]') as Element;
    const scrolls = document.querySelector('.above-bar') as Element;
    const found: string[] = [];
    for (let above = -24; above <= 48; above += 6) {
      scrolls.scrollBy(0, control.getBoundingClientRect().y - bar.getBoundingClientRect().y + above);
      // Until the page knows how far it is scrolled.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const { violations } = await axe.run('form', { runOnly: ['target-size'], resultTypes: ['violations'] });
      const all = violations.flatMap(({ nodes }) => nodes.map(({ target }) => String(target)));
      // Others may be at the bar then, too.
      const targets = all.filter((target) => document.querySelector(target) === control);
      found.push(...targets.map((target) => `${target}, ${above} px above the bar`));
    }
    return found;
  });
}

test('on a phone what decides all issues is not seen in part close to the bar', async ({ page }) => {
  const own = await Server.start();
  const debate = await referringDebate(own.url, 3, ['All', 'None']);
  await page.setViewportSize({ width: 412, height: 600 });
  const control = page.getByRole('combobox', { name: 'Decide all 3…' });
  for (const address of [own.url, debate.url]) {
    await page.goto(address);
    await expect(control).toBeVisible();
    for (const chosen of [false, true]) {
      if (chosen) await page.getByRole('radio', { name: 'None' }).check();
      if (chosen) await expect(page.locator('[data-follows]')).toHaveAttribute('aria-busy', 'false');
      expect(await tooSmall(page, control), `${address}, chosen: ${chosen}`).toEqual([]);
    }
  }
  // What the page loads later would find no server.
  await page.goto('about:blank');
  await own.remove();
});
