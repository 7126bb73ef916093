import { disputedDebate, IssueDebate } from './support/issueDebate';
import { planDebate } from './support/planDebate';
import { expect, picture, test } from './support/test';

const WORDS = {
  'en-US': {
    issues: '4 issues not settled, 1 blocks completion',
    plan: 'Plan, v3',
    text: 'Text',
    raw: 'Raw',
    lines: 'v3, lines 7–18',
    comment: 'Comment',
    clear: 'Clear the selection',
    saves: /^Download the record/,
  },
  'vi-VN': {
    issues: '4 vấn đề chưa xong, 1 vấn đề cản trở việc kết thúc',
    plan: 'Kế hoạch, v3',
    text: 'Văn bản',
    raw: 'Nguyên văn',
    lines: 'v3, dòng 7–18',
    comment: 'Nhận xét',
    clear: 'Bỏ chọn',
    saves: /^Tải biên bản/,
  },
};

for (const [locale, words] of Object.entries(WORDS)) {
  test.describe(locale, () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale });

    test('a card of the inbox says how many issues are not settled, and how many block', async ({
      page,
      server,
    }) => {
      await disputedDebate(server.url);
      await page.goto(server.url);
      await expect(page.locator('[data-card] header')).toContainText(words.issues);
      await picture(page, `phone-card-${locale}`);
    });

    test('what can be done with a line of the plan is in one line, with what lets it go', async ({
      page,
      server,
    }) => {
      const { debate } = await planDebate(server.url);
      await page.goto(debate.url);
      await page.getByRole('button', { name: words.plan }).tap();
      const panel = page.getByRole('complementary');
      await panel.getByText(words.text, { exact: true }).tap();
      await panel.getByRole('button', { name: words.raw, exact: true }).tap();
      await panel.locator('[data-lines="7-7"]').tap({ position: { x: 20, y: 8 } });
      await panel.locator('[data-lines="18-18"]').tap({ position: { x: 20, y: 8 } });
      const row = page.getByRole('region', { name: words.lines });
      const [clear, comment] = [words.clear, words.comment].map((name) =>
        row.getByRole('button', { name, exact: true }),
      );
      await expect(clear ?? row).toBeInViewport({ ratio: 1 });
      const middle = async (button = row) => {
        const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
        return y + height / 2;
      };
      expect(Math.abs((await middle(clear)) - (await middle(comment)))).toBeLessThanOrEqual(2);
      await picture(page, `phone-line-${locale}`);
    });

    test('what saves the record has a mark and says what it saves', async ({ page, server }) => {
      const debate = await IssueDebate.create(server.url);
      await page.goto(`${debate.url}?record`);
      const json = page.getByRole('button', { name: 'JSON' });
      await expect(json).toHaveAttribute('title', words.saves);
      await expect(json.locator('svg')).toBeVisible();
      await picture(page, `phone-record-${locale}`);
    });
  });
}
