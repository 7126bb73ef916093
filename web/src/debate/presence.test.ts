import { expect, it } from 'vitest';
import { debate } from '@/testing/samples';
import { presenceOf } from './presence';

const waiting = [{ role: 'proposer', since: 'then' }];

it('tells waiting, having the turn and neither apart', () => {
  const told = { waiting, silent: [] };
  expect(presenceOf('proposer', debate(), told)).toEqual({ kind: 'waiting', since: 'then' });
  expect(presenceOf('opponent', debate(), told)).toMatchObject({ kind: 'turn' });
  expect(presenceOf('opponent', debate({ state: 'AWAITING_PROPOSER' }), told)).toEqual({ kind: 'absent' });
  expect(presenceOf('opponent', debate({ state: 'SOMETHING_NEW' }), told)).toEqual({ kind: 'absent' });
});

it('shows a side as silent once the server says so', () => {
  const told = { waiting, silent: [{ role: 'opponent', since: 'long ago' }] };
  expect(presenceOf('opponent', debate(), told)).toEqual({ kind: 'silent', since: 'long ago' });
  expect(presenceOf('proposer', debate(), told)).toEqual({ kind: 'waiting', since: 'then' });
});
