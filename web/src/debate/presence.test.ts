import { expect, it } from 'vitest';
import { debate } from '@/testing/samples';
import { presenceOf } from './presence';

it('tells waiting, writing and away apart', () => {
  const waiting = [{ role: 'proposer', since: 'then' }];
  expect(presenceOf('proposer', debate(), waiting)).toEqual({ kind: 'waiting', since: 'then' });
  expect(presenceOf('opponent', debate(), waiting)).toMatchObject({ kind: 'composing' });
  expect(presenceOf('opponent', debate({ state: 'AWAITING_PROPOSER' }), waiting)).toEqual({ kind: 'away' });
  expect(presenceOf('opponent', debate({ state: 'SOMETHING_NEW' }), waiting)).toEqual({ kind: 'away' });
});
