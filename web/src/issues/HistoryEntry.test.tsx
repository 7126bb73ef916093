import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HistoryEntry } from './HistoryEntry';

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
