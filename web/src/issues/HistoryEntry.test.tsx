import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HistoryEntry, HistoryList } from './HistoryEntry';

it('cuts a long note where a sentence ends, and says how much is left, but in the history', () => {
  const note =
    'The order is stored twice when a client retries after a timeout. Nobody notices it for days. Never.';
  const entry = { seq: 2, argument_id: 'a', role: 'opponent', change: 'raise', note: `${note} ${note}` };
  const said = (beside?: string) =>
    renderToStaticMarkup(<HistoryEntry debateId="d" entry={entry} beside={beside} />);
  expect(said('high')).toMatch(/after a timeout\.<\/span>.*\(24 more words\)/);
  expect(said()).toContain(note);
  expect(said()).not.toContain('more words');
});

it('leaves a severity out only where it is the one that stands beside it', () => {
  const raised = { seq: 2, argument_id: 'a', role: 'opponent', change: 'raise', severity: 'high' };
  const said = (beside?: string) =>
    renderToStaticMarkup(<HistoryEntry debateId="d" entry={raised} beside={beside} />);
  expect(['high', 'low', undefined].map((beside) => said(beside).includes('(High)'))).toEqual([
    false,
    true,
    true,
  ]);
});

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
