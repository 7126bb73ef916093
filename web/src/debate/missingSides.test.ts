import { expect, it } from 'vitest';
import { argument, debate, run } from '@/testing/samples';
import { fromContext } from './debateView';
import { missingSides } from './missingSides';

const motion = argument();
const view = (args: ReturnType<typeof run>, change = {}) =>
  fromContext({
    debate: debate({ last_seq: 1 + args.length, ...change }),
    motion,
    arguments: args,
    earlier_rulings: [],
    issues: [],
    turns: [],
  });
const stop = argument({ id: 'stop', seq: 2, type: 'INTERVENTION', role: 'arbitrator' });

it('a side is missing until it writes, waits, or takes its seat', () => {
  expect(missingSides(view([]), [])).toEqual(['opponent', 'proposer']);
  expect(missingSides(view([]), [{ role: 'opponent' }])).toEqual(['proposer']);
  expect(missingSides(view([], { seats: { proposer: true, opponent: false } }), [])).toEqual(['opponent']);
  expect(missingSides(view(run(2, 2)), [])).toEqual(['proposer']);
  expect(missingSides(view(run(2, 3)), [])).toEqual([]);
});

it('what the arbitrator writes is of no side', () => {
  expect(missingSides(view([stop]), [])).toEqual(['opponent', 'proposer']);
});

it('nobody is missing from a debate of which only the end is loaded', () => {
  expect(missingSides(view(run(61, 90)), [])).toEqual([]);
});
