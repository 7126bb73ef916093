import { expect, it } from 'vitest';
import { issue, RULES } from '@/testing/samples';
import { EMPTY } from './draft';
import { changesOf, withDecision, withNewIssue } from './issueDecisions';
import { unsettledAfter } from './preview';

const issues = [issue({ id: 'I1' }), issue({ id: 'I2', settled: true })];
const draft = withNewIssue(withDecision(EMPTY, 'I1', { change: 'dismiss', note: '' }), {
  title: ' Backups are never tested',
});
const changes = changesOf(draft, issues, RULES);
const told = [issue({ id: 'I1', status: 'dismissed' }), issue({ id: 'I3', title: '…' })];
const ids = (...args: Parameters<typeof unsettledAfter>) =>
  unsettledAfter(...args)?.map(({ id, title }) => `${id} ${title}`) ?? null;

it('names the issues that a ruling leaves, and those that it raises as they are typed', () => {
  expect(ids(issues, changes, { changed: told, newIds: ['I3'] })).toEqual(['I3 Backups are never tested']);
});

it('is not known while a ruling changes issues and the server has not told', () => {
  expect(ids(issues, changes, { changed: undefined, newIds: [] })).toBeNull();
  // What was told for an earlier draft gives the ids only.
  expect(ids(issues, changes, { changed: undefined, newIds: ['I3'] })).toBeNull();
});

it('is the issues as they are where a ruling changes none', () => {
  for (const changed of [undefined, []])
    expect(ids(issues, [], { changed, newIds: [] })).toEqual(['I1 An issue']);
});
