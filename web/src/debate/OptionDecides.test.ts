import { expect, it } from 'vitest';
import { issue } from '@/testing/samples';
import { decidesNone, undecidedBy } from './OptionDecides';

const referred = [issue({ id: 'I1', referred: true }), issue({ id: 'I2', referred: true })];
const one = { label: 'One', issue_changes: [{ change: 'uphold', issue: 'I1' }] };
const none = { label: 'Neither' };
const own = { label: 'Something else', free_form: true };

it('tells which of the referred issues an option leaves as they are while it decides others', () => {
  const undecided = [one, none, own].map((option) => undecidedBy(option, [...referred, issue({ id: 'I3' })]));
  expect(undecided).toEqual([['I2'], [], []]);
});

it('tells of an option that decides no issue where there are some to decide, unless it is one’s own words', () => {
  const options = [one, none, { ...none, issue_changes: [] }, own];
  const told = (issues: typeof referred) => options.map((option) => decidesNone(option, options, issues));
  expect(told(referred)).toEqual([false, true, true, false]);
  expect(told([])).toEqual([false, true, true, false]);
  expect(decidesNone(none, [none, own], referred)).toBe(true);
  expect(decidesNone(none, [none, own], [issue()])).toBe(false);
});
