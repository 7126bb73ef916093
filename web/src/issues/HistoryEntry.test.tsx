import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HistoryList } from './HistoryEntry';

it('says from which severity to which an issue was graded', () => {
  const change = (seq: number, name: string, severity?: string) => ({
    seq,
    argument_id: `a${seq}`,
    role: 'opponent',
    change: name,
    ...(severity !== undefined && { severity }),
  });
  const entries = [change(2, 'raise', 'high'), change(4, 'fix'), change(6, 'regrade', 'low')];
  const text = renderToStaticMarkup(<HistoryList id="I1" debateId="d" entries={entries} />);
  expect(text.match(/\([^)]*\)/g)).toEqual(['(High)', '(High → Low)']);
});
