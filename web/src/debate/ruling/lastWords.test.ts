import { expect, it } from 'vitest';
import type { IssueHistoryEntry } from '@/api/types';
import { lastWords } from './lastWords';

const entry = (seq: number, role: string, change: string, note?: string) =>
  ({ seq, role, change, ...(note !== undefined && { note }) }) as IssueHistoryEntry;

it('has why an issue was raised beside the last words of each side', () => {
  const raised = entry(2, 'opponent', 'raise', 'It runs twice');
  const fixed = entry(3, 'proposer', 'fix', 'Renewed');
  const reopened = entry(4, 'opponent', 'reopen', 'Not if it is stopped');
  expect(lastWords([raised, fixed, reopened])).toEqual([raised, fixed, reopened]);
  expect(lastWords([raised, fixed])).toEqual([raised, fixed]);
  expect(lastWords([entry(2, 'opponent', 'raise'), fixed, reopened])).toEqual([fixed, reopened]);
  // Who changed it without a word says no more than its status.
  expect(lastWords([entry(2, 'opponent', 'raise'), entry(3, 'proposer', 'refer')])).toEqual([]);
});
