import { expect, it } from 'vitest';
import type { IssueHistoryEntry } from '@/api/types';
import { lastWords, notesBySide } from './lastWords';

const entry = (seq: number, role: string, change: string, note?: string) =>
  ({ seq, role, change, ...(note !== undefined && { note }) }) as IssueHistoryEntry;

it('has what each side said last, the proposer first, and nothing older', () => {
  const raised = entry(2, 'opponent', 'raise', 'It runs twice');
  const fixed = entry(3, 'proposer', 'fix', 'Renewed');
  const reopened = entry(4, 'opponent', 'reopen', 'Not if it is stopped');
  const upheld = entry(5, 'arbitrator', 'uphold', 'It must not.');
  expect(lastWords([raised, fixed, reopened, upheld])).toEqual([fixed, reopened]);
  expect(lastWords([raised, fixed])).toEqual([fixed, raised]);
  expect(lastWords([raised])).toEqual([raised]);
  // Who changed it without a word says no more than its status.
  expect(lastWords([entry(2, 'opponent', 'raise'), entry(3, 'proposer', 'refer')])).toEqual([]);
  expect(lastWords([raised, entry(4, 'opponent', 'reopen')])).toEqual([raised]);
});

it('has what each side said before after what it said last', () => {
  const history = [
    entry(2, 'opponent', 'raise', 'It runs twice'),
    entry(3, 'proposer', 'fix'),
    entry(4, 'opponent', 'reopen', 'Not if it is stopped'),
  ];
  expect(notesBySide(history)).toEqual([{ role: 'opponent', entries: [history[2], history[0]] }]);
});
