import { expect, it } from 'vitest';
import { argument, debate } from '@/testing/samples';
import { fromContext } from '../debateView';
import { questionOf } from './question';

it.each([
  ['AWAITING_ARBITRATOR', 'APPEAL', 'appeal'],
  ['AWAITING_ARBITRATOR', 'RESOLUTION', 'resolution'],
  ['INTERVENTION_PENDING', 'INTERVENTION', 'intervention'],
  ['INTERVENTION_PENDING', 'APPEAL', 'late-appeal'],
  ['INTERVENTION_PENDING', 'CLAIM', 'intervention'],
])('in %s after %s the question is: %s', (state, type, kind) => {
  const newest = argument({ seq: 2, type });
  const context = {
    debate: debate({ state }),
    motion: argument(),
    arguments: [newest],
    issues: [],
    turns: [],
  };
  expect(questionOf(fromContext(context)).kind).toBe(kind);
});
