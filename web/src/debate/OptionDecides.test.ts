import { expect, it } from 'vitest';
import { issue } from '@/testing/samples';
import { undecidedBy } from './OptionDecides';

it('tells which of the referred issues an option leaves as they are', () => {
  const issues = [
    issue({ id: 'I1', referred: true }),
    issue({ id: 'I2', referred: true }),
    issue({ id: 'I3' }),
  ];
  const one = { label: 'One', issue_changes: [{ change: 'uphold', issue: 'I1' }] };
  const none = { label: 'Neither' };
  const own = { label: 'Something else', free_form: true };
  const options = [one, none, own];
  const undecided = options.map((option) => undecidedBy(option, options, issues));
  // What is decided in words is not known.
  expect(undecided).toEqual([['I2'], ['I1', 'I2'], []]);
  // Where no option decides an issue, that is true of all of them.
  expect(undecidedBy(none, [none, own], issues)).toEqual([]);
});
