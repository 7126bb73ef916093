import { expect, it } from 'vitest';
import type { AppealOption } from '@/api/types';
import { translator } from '@/i18n';
import { issue } from '@/testing/samples';
import { compareOptions, notesOf, partsOf, shortText } from './compareOptions';

const IDS = ['I1', 'I2', 'I3', 'I10'];
const ledger = IDS.map((id) => issue({ id, referred: true }));
const own: AppealOption = { label: 'Something else', free_form: true };

function option(label: string, decides: Record<string, string>): AppealOption {
  return {
    label,
    issue_changes: Object.entries(decides).map(([id, said]) => {
      const [change = '', note] = said.split(': ');
      return { change, issue: id, ...(note && { note }) };
    }),
  };
}

const first = option('First', { I1: 'uphold', I2: 'dismiss', I10: 'defer: after Friday' });
const second = option('Second', { I10: 'defer: after Friday', I3: 'dismiss: rare', I1: 'uphold' });

it('compares what options decide, issue by issue in the order of the ledger, also what none of them decides', () => {
  const comparison = compareOptions([first, second, own], ledger);
  expect(comparison?.columns).toEqual([0, 1]);
  const rows = comparison?.rows.map(({ issue, made, same }) => [
    issue.id,
    ...made.map((change) => change?.change),
    same,
  ]);
  expect(rows).toEqual([
    ['I1', 'uphold', 'uphold', true],
    ['I2', 'dismiss', undefined, false],
    ['I3', undefined, 'dismiss', false],
    ['I10', 'defer', 'defer', true],
  ]);
  const referred = issue({ id: 'I11', referred: true });
  const more = compareOptions([first, second], [...ledger, referred, issue({ id: 'I12' })]);
  expect(more?.rows.at(-1)).toEqual({ issue: referred, made: [null, null], same: true });
});

it('is not the same with another note or severity, nor where there is nothing to compare with', () => {
  const same = (...options: AppealOption[]) => compareOptions(options, ledger)?.rows.map(({ same }) => same);
  const noted = option('Noted', { I1: 'uphold: now', I2: 'dismiss', I3: 'dismiss', I10: 'defer: later' });
  expect(same(first, noted)).toEqual([false, true, false, false]);
  const graded = (severity: string) => ({
    label: severity,
    issue_changes: ['I1', 'I2', 'I3', 'I4'].map((issue) => ({ change: 'regrade', issue, severity })),
  });
  expect(same(graded('high'), graded('low'))).toEqual([false, false, false, true]);
  expect(same(option('One', { I1: 'uphold', I2: 'uphold', I3: 'uphold', I10: 'uphold' }), own)).toEqual(
    Array(4).fill(false),
  );
});

it('compares nothing where options decide fewer than three issues, or where a phone has no room for all', () => {
  const few = option('Few', { I1: 'uphold', I2: 'dismiss' });
  expect(compareOptions([few, few, own], ledger)).toBeNull();
  expect(compareOptions([own], ledger)).toBeNull();
  expect(compareOptions([few, option('Two more', { I3: 'uphold', I10: 'uphold' })], ledger)).not.toBeNull();
  const all = option('All', Object.fromEntries(IDS.map((id) => [id, 'uphold'])));
  expect(compareOptions(Array(6).fill(all), ledger)).not.toBeNull();
  expect(compareOptions(Array(7).fill(all), ledger)).toBeNull();
});

it('has a column for own words only where something is decided besides', () => {
  const decides = { ...first, free_form: true };
  expect(compareOptions([second, decides, own], ledger)?.columns).toEqual([0, 1]);
});

const MANY = Array.from({ length: 7 }, (_, index) => `I${index + 1}`);

const saidOf = (ids: readonly string[], ...options: AppealOption[]) => {
  const comparison = compareOptions(
    options,
    ids.map((id) => issue({ id, referred: true })),
  );
  const said = comparison?.columns.map((index) => shortText(translator('en'), comparison, index));
  return said?.map((text) => text.replaceAll('\u00a0', ' '));
};

it('names the few issues that an option decides, in the same order for each, and what it leaves last', () => {
  const all = option('All', Object.fromEntries(IDS.map((id) => [id, 'uphold'])));
  expect(saidOf(IDS, first, all, own)).toEqual([
    'I1 upheld · I2 dismissed · I10 deferred · I3 not decided',
    'I1–I3, I10 upheld',
  ]);
});

it('names many issues, too, and the severities that they get', () => {
  const all = option('All', Object.fromEntries(MANY.map((id) => [id, 'uphold'])));
  const some = option('Some', { I1: 'dismiss', I2: 'dismiss', I3: 'uphold' });
  expect(saidOf(MANY, some, all)).toEqual([
    'I1, I2 dismissed · I3 upheld · I4–I7 not decided',
    'I1–I7 upheld',
  ]);
  const graded = (severity: 'high' | 'low') => ({
    label: severity,
    issue_changes: ['I1', 'I2', 'I3', 'I4'].map((issue) => ({ change: 'regrade', issue, severity })),
  });
  expect(saidOf(MANY, graded('high'), graded('low'))).toEqual([
    'I1–I4 regraded to High · I5–I7 not decided',
    'I1–I4 regraded to Low · I5–I7 not decided',
  ]);
});

it('tells a note once, with the columns that have it', () => {
  const rows = compareOptions([first, second], ledger)?.rows ?? [];
  expect(rows.map(notesOf)).toEqual([[], [], [['rare', [1]]], [['after Friday', [0, 1]]]]);
});

it('has the issues that are the same in all options apart where there are more than six', () => {
  const ids = (count: number) => {
    const many = Array.from({ length: count }, (_, index) => `I${index + 1}`);
    const all = Object.fromEntries(many.map((id) => [id, 'uphold']));
    const options = [option('All', all), option('But I2', { ...all, I2: 'dismiss' })];
    const comparison = compareOptions(
      options,
      many.map((id) => issue({ id, referred: true })),
    );
    const { rows, same } = partsOf(comparison ?? { columns: [], rows: [] });
    return [rows, same].map((part) => part.map(({ issue }) => issue.id).join(' '));
  };
  expect(ids(6)).toEqual(['I1 I2 I3 I4 I5 I6', '']);
  expect(ids(7)).toEqual(['I2', 'I1 I3 I4 I5 I6 I7']);
});
