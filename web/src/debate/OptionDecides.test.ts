import { expect, it } from 'vitest';
import { issue } from '@/testing/samples';
import { sameInAll, undecidedBy, without } from './OptionDecides';

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

it('tells what each option makes of the same issues, where these are many', () => {
  const option = (label: string, change: string, ...issues: string[]) => ({
    label,
    issue_changes: issues.map((issue) => ({ change, issue })),
  });
  const many = ['I1', 'I2', 'I3', 'I4'];
  const all = option('All', 'uphold', ...many, 'I5');
  const less = { ...option('Less', 'uphold', ...many), free_form: false };
  less.issue_changes.push({ change: 'dismiss', issue: 'I5' });
  const own = { label: 'Something else', free_form: true };
  const same = sameInAll([all, less, own]);
  expect(same.map(({ issue }) => issue)).toEqual(many);
  expect(without(same, less).issue_changes).toEqual([{ change: 'dismiss', issue: 'I5' }]);
  // Not with another change or note, where an option decides nothing, where there are few, nor where there is nothing to compare.
  const noted = {
    ...all,
    issue_changes: all.issue_changes.map((change) => ({ ...change, note: 'by Friday' })),
  };
  for (const options of [
    [all, option('None', 'dismiss', ...many)],
    [all, noted],
    [all, less, { label: 'Wait' }],
    [option('One', 'uphold', 'I1', 'I2', 'I3'), all],
    [all, own],
    [],
  ])
    expect(sameInAll(options)).toEqual([]);
});
