import { expect, it } from 'vitest';
import type { Issue } from '@/api/types';
import { argument, issue, RULES } from '@/testing/samples';
import { asksToClose, primaryMove } from './closing';
import { type Draft, EMPTY } from './draft';
import { withNewIssue } from './issueDecisions';
import { outcomeOf } from './rulingOutcome';

const CLOSE = { type: 'RULING', close: true, issue_changes: {} };
const BACK = { type: 'RULING', close: false, issue_changes: {} };
/** Each as the server orders its moves. */
const AGREED = { toFinish: true, agreed: true, moves: [CLOSE, BACK] };
const NOT_AGREED = { toFinish: true, agreed: false, moves: [BACK, CLOSE] };
const APPEAL = { toFinish: false, agreed: false, moves: [BACK, CLOSE] };

const comment = { key: 'c1', documentId: 'd', version: 1, from: 1, to: 1, quote: 'q', text: 'No.' };
const DRAFTS = {
  nothing: EMPTY,
  words: { ...EMPTY, text: 'The limit per day is still missing.' },
  settles: { ...EMPTY, decisions: { I1: { change: 'dismiss', note: '' } } },
  upholds: { ...EMPTY, decisions: { I1: { change: 'uphold', note: '' } } },
  raises: { ...EMPTY, ...withNewIssue(EMPTY) },
  comments: { ...EMPTY, comments: [comment] },
} satisfies Record<string, Draft>;

const issues = [issue({ id: 'I1' })];
const outcome = (draft: keyof typeof DRAFTS) =>
  outcomeOf(DRAFTS[draft], { argument: argument(), issues }, RULES);

it.each([
  [AGREED, 'nothing', CLOSE],
  [AGREED, 'words', CLOSE],
  [AGREED, 'settles', CLOSE],
  [AGREED, 'upholds', BACK],
  [AGREED, 'raises', BACK],
  [AGREED, 'comments', BACK],
  [NOT_AGREED, 'nothing', BACK],
  [NOT_AGREED, 'settles', BACK],
  [APPEAL, 'nothing', BACK],
  [APPEAL, 'comments', BACK],
] as const)('of %j with %s the main button is %j', (request, draft, move) => {
  expect(primaryMove(request, outcome(draft))).toBe(move);
});

it('is what the server names first, whatever that is, and nothing where it names nothing', () => {
  expect(primaryMove({ ...APPEAL, moves: [CLOSE, BACK] }, outcome('upholds'))).toBe(CLOSE);
  expect(primaryMove({ ...AGREED, moves: [CLOSE] }, outcome('upholds'))).toBe(CLOSE);
  expect(primaryMove({ ...AGREED, moves: [] }, outcome('nothing'))).toBeUndefined();
});

const NONE: Issue[] = [];
it.each([
  // By the button.
  [AGREED, 'nothing', NONE, false, false],
  [AGREED, 'words', NONE, false, false],
  [AGREED, 'settles', NONE, false, false],
  [AGREED, 'settles', issues, false, true],
  [AGREED, 'upholds', NONE, false, true],
  [AGREED, 'raises', NONE, false, true],
  [AGREED, 'comments', NONE, false, true],
  [NOT_AGREED, 'nothing', NONE, false, true],
  [APPEAL, 'settles', NONE, false, true],
  // What is open all the same was agreed on; what the ruling leaves open is not known before the server has told.
  [AGREED, 'nothing', issues, false, false],
  [AGREED, 'settles', null, false, true],
  // By the keys.
  [AGREED, 'nothing', NONE, true, false],
  [AGREED, 'settles', NONE, true, false],
  [AGREED, 'words', NONE, true, true],
] as const)(
  'closing %j with %s, unsettled %j, by keys %s asks first: %s',
  (request, draft, unsettled, byKeys, asks) => {
    expect(asksToClose(request, outcome(draft), unsettled, byKeys)).toBe(asks);
  },
);
