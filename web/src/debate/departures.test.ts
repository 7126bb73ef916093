import { expect, it } from 'vitest';
import type { Argument } from '@/api/types';
import { translator } from '@/i18n';
import { argument } from '@/testing/samples';
import { departuresText } from './departures';

const t = translator('en');
const changes = (change: string, ...ids: string[]) => ids.map((issue) => ({ change, issue }));
const appeal = argument({
  seq: 5,
  type: 'APPEAL',
  options: [
    { label: 'In one release' },
    {
      label: 'In December',
      issue_changes: [...changes('uphold', 'I1', 'I2'), ...changes('dismiss', 'I3', 'I4')],
    },
  ],
});
const ruling = (number: number, issue_changes: NonNullable<Argument['issue_changes']>) =>
  argument({ seq: 6, type: 'RULING', chosen: { seq: 5, number, label: '' }, issue_changes });
const said = (...made: NonNullable<Argument['issue_changes']>) => departuresText(t, ruling(1, made), appeal);

it('says where a ruling decided otherwise than the option that it chose', () => {
  const upheld = changes('uphold', 'I1', 'I2');
  expect(said(...upheld, ...changes('dismiss', 'I3', 'I4'))).toBe('');
  expect(said(...upheld, ...changes('uphold', 'I3'), ...changes('dismiss', 'I4'))).toBe(
    'I3 upheld, where the option said dismissed',
  );
  expect(said(...changes('uphold', 'I1', 'I3', 'I4'))).toBe(
    'I2 not decided, where the option said upheld; I3, I4 upheld, where the option said dismissed',
  );
  // A note, or one decision more, is no other decision.
  const more = { change: 'dismiss', issue: 'I4', note: 'rare' };
  expect(said(...upheld, ...changes('dismiss', 'I3'), more, ...changes('defer', 'I9'))).toBe('');
});

it('says nothing where the option decides nothing, or is not known', () => {
  expect(departuresText(t, ruling(0, changes('uphold', 'I3')), appeal)).toBe('');
  expect(departuresText(t, ruling(1, changes('uphold', 'I3')), undefined)).toBe('');
  expect(departuresText(t, argument({ seq: 6, type: 'RULING', chosen: null }), appeal)).toBe('');
});
