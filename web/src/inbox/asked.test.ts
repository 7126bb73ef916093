import { expect, it } from 'vitest';
import { argument, debate } from '@/testing/samples';
import { askedIn } from './asked';

const at = (minute: number) => `2030-01-01T00:0${minute}:00Z`;
const context = (state: string, types: readonly string[]) => ({
  debate: debate({ state }),
  motion: argument({ created_at: at(0) }),
  arguments: types.map((type, index) => argument({ seq: index + 2, type, created_at: at(index + 1) })),
  issues: [],
  turns: [],
});

it.each([
  ['AWAITING_ARBITRATOR', ['CLAIM', 'APPEAL'], 'appeal', 3, at(2)],
  ['AWAITING_ARBITRATOR', ['CLAIM', 'RESOLUTION'], 'resolution', 3, at(2)],
  ['INTERVENTION_PENDING', ['CLAIM', 'INTERVENTION'], 'intervention', 3, at(2)],
  // A late delivery does not begin the wait anew.
  ['INTERVENTION_PENDING', ['INTERVENTION', 'CLAIM'], 'intervention', 3, at(1)],
  ['INTERVENTION_PENDING', ['INTERVENTION', 'APPEAL'], 'late-appeal', 3, at(1)],
])('in %s after %s: %s', (state, types, kind, seq, since) => {
  const asked = askedIn(context(state, types));
  expect(asked.question.kind).toBe(kind);
  expect(asked.argument.seq).toBe(seq);
  expect(asked.since).toBe(since);
});
