import { IssueDebate, raise } from './support/issueDebate';
import { expect, picture, test } from './support/test';

const changes = (change: string, ...ids: string[]) => ids.map((issue) => ({ change, issue }));

/** An appeal that refers twelve issues, of which its first option leaves four. */
async function twelveIssues(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, 'Search');
  const ids = Array.from({ length: 12 }, (_, index) => `I${index + 1}`);
  await debate.claim(
    'opponent',
    'Twelve.',
    ids.map((id, index) => raise(index < 4 ? 'high' : 'medium', `Fault ${id}`)),
  );
  await debate.appealWith(
    'What is fixed first?',
    [
      {
        label: 'The index first',
        issue_changes: [
          ...changes('uphold', 'I1', 'I2', 'I3', 'I4', 'I8'),
          ...changes('dismiss', 'I5', 'I6'),
          { change: 'defer', issue: 'I7', note: 'after Friday' },
        ],
      },
      { label: 'All of it', issue_changes: changes('uphold', ...ids) },
    ],
    changes('refer', ...ids),
  );
  return debate;
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`an option says what it decides in few words, which a ruling is compared with, ${viewport.width} px`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    const debate = await twelveIssues(server.url);
    await page.goto(debate.url);
    const decides = page.locator('[data-decides]');
    // What is the same in both stands once, and is not said of what the server adds.
    await expect(page.locator('[data-same]')).toContainText('The same in options 1–2:');
    await expect(decides).toHaveText([
      'I1–I4 (High), I8 upheld',
      'I5, I6 dismissed · I7 deferred: “after Friday” · I9–I12 not decided',
      'I5–I7, I9–I12 upheld',
    ]);
    await page.getByRole('radio', { name: 'The index first' }).check();
    const decided = 'The index first · I1–I4, I8 upheld · I5, I6 dismissed · I7 deferred: “after Friday”';
    const summary = page.locator('[data-ruling-summary]');
    await expect(summary).toHaveText(`Your decision: ${decided} · I9–I12 stay “Open”`);
    await expect(page.locator('[data-follows]')).toContainText('Proposer: fixes I1–I4, I8');
    await picture(page, `options-${viewport.width}`);
    // No line ends between a number and what becomes of it, also where the chosen one is shown whole.
    const broken = await decides.locator('span').evaluateAll((parts) =>
      parts.flatMap((part) => {
        const lines = new Set([...part.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        return lines.size > 1 ? part.textContent : [];
      }),
    );
    expect(broken).toEqual([]);

    await page.locator('[data-decide="I5"]').getByText('Uphold', { exact: true }).click();
    await page.getByRole('button', { name: 'Rule and continue' }).click();
    await page.getByRole('button', { name: 'Leave and send' }).click();
    // The difference is told as long as the debate is.
    const ruling = page.locator('[data-seq="4"]');
    await expect(ruling).toContainText('Chose: The index first');
    await expect(ruling.locator('[data-departs]')).toHaveText('I5 upheld, where the option said dismissed');
    await expect(page.locator('[data-seq="3"] [data-decides]').first()).toContainText('I5, I6 dismissed');
    await picture(page, `options-ruled-${viewport.width}`);
  });
}

test('an option says from which severity to which it regrades an issue', async ({ page, server }) => {
  const debate = await IssueDebate.create(server.url, 'Import');
  await debate.claim('opponent', 'Two.', [raise('low', 'No limit'), raise('high', 'No log')]);
  const regrade = (issue: string, severity: string) => ({
    change: 'regrade',
    issue,
    severity,
    note: 'as seen',
  });
  await debate.appealWith(
    'Which is worse?',
    [
      { label: 'The limit', issue_changes: [regrade('I1', 'high'), regrade('I2', 'low')] },
      { label: 'Neither' },
    ],
    changes('refer', 'I1', 'I2'),
  );
  await page.goto(debate.url);
  await expect(page.locator('[data-decides]').first()).toHaveText(
    'I1 (Low) regraded to High: “as seen” · I2 (High) regraded to Low: “as seen”',
  );
  await debate.ruling('The limit.', false, {
    chosen_option: 0,
    issue_changes: [regrade('I1', 'high'), regrade('I2', 'low')],
  });
  // Later it would say of I1 that it was high before.
  await expect(page.locator('[data-seq="3"] [data-decides]').first()).toHaveText(
    'I1 regraded to High: “as seen” · I2 regraded to Low: “as seen”',
  );
});
