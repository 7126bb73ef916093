import { expect, it } from 'vitest';
import type { RulingChange } from '@/api/types';
import { translator } from '@/i18n';
import { plainText } from '@/ui/TextParts';
import { groupParts, groupsOf, idRanges, markedRanges } from './changeGroups';

const t = translator('en');
const keyed = (changes: readonly RulingChange[]) =>
  changes.map((change, index) => ({ key: change.issue ?? `new-${index}`, change }));
const of = (change: string, ...ids: string[]) => ids.map((issue) => ({ change, issue }));

it('tells what is alike as one, however few issues that are', () => {
  const said = (changes: readonly RulingChange[], isAlone?: (key: string) => boolean) =>
    groupsOf(keyed(changes), isAlone).map((group) => plainText(groupParts(t, group)));
  const changes = [...of('uphold', 'I1', 'I2', 'I4'), ...of('dismiss', 'I3', 'I5')];
  expect(said(changes)).toEqual(['I1, I2, I4 upheld', 'I3, I5 dismissed']);
  expect(said(changes, (id) => id === 'I2')).toEqual(['I1, I4 upheld', 'I2 upheld', 'I3, I5 dismissed']);
  // Not with another note or severity, nor what is raised.
  const defer = { change: 'defer', issue: 'I1', note: 'after Friday' };
  expect(said([defer, { ...defer, issue: 'I2' }, { ...defer, issue: 'I3', note: 'later' }])).toEqual([
    'I1, I2 deferred',
    'I3 deferred',
  ]);
  const regrade = { change: 'regrade', issue: 'I1', severity: 'low' };
  expect(said([regrade, { ...regrade, issue: 'I2', severity: 'high' }])).toEqual([
    'I1 regraded to Low',
    'I2 regraded to High',
  ]);
  const raise = { change: 'raise', title: 'No bound', severity: 'low' };
  expect(said([raise, raise])).toEqual(['raised “No bound” (Low)', 'raised “No bound” (Low)']);
});

it('names consecutive issues as a range, in the order of their numbers', () => {
  expect(idRanges(['I10', 'I1', 'I2', 'I3', 'I4', 'I8', 'I12', 'I9'])).toBe('I1–I4, I8–I10, I12');
  expect(idRanges(['I2', 'I1'])).toBe('I1, I2');
  expect(idRanges([])).toBe('');
});

it('ends a range where the mark is another', () => {
  const marked = markedRanges(['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7'], (id) =>
    ['I3', 'I4', 'I5'].includes(id) ? 'High' : '',
  );
  expect(marked).toEqual([
    { text: 'I1', mark: '' },
    { text: 'I2', mark: '' },
    { text: 'I3–I5', mark: 'High' },
    { text: 'I6', mark: '' },
    { text: 'I7', mark: '' },
  ]);
});
