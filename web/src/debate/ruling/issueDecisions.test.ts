import { describe, expect, it } from 'vitest';
import type { AppealOption } from '@/api/types';
import { issue, REOPENABLE, RULES } from '@/testing/samples';
import {
  changesOf,
  choicesOf,
  type Decision,
  decidedAs,
  decisionsOf,
  faultOf,
  type IssueDecisions,
  NO_DECISIONS,
  needs,
  nextSeverity,
  offerOf,
  withChange,
  withDecision,
  withNewIssue,
  withOffer,
  withOption,
  withSame,
} from './issueDecisions';

const ISSUES = [
  issue({ id: 'I1', severity: 'high', blocking: true }),
  issue({ id: 'I3', status: 'disputed', referred: true }),
  issue({ id: 'I4', status: 'fixed' }),
];

const DECIDED: IssueDecisions = {
  decisions: {
    I1: { change: 'uphold', note: '  as plan 2 says ' },
    I2: { change: 'dismiss', note: '' },
    I3: { change: 'dismiss', note: ' ' },
  },
  raised: [{ key: 'new-1', severity: 'critical', title: ' No bound ', location: '' }],
};

describe('decisions on issues', () => {
  it('become the changes of the ruling, without those on issues that are not there', () => {
    expect(changesOf(DECIDED, ISSUES, RULES)).toEqual([
      { key: 'I1', change: { change: 'uphold', issue: 'I1', note: 'as plan 2 says' } },
      { key: 'I3', change: { change: 'dismiss', issue: 'I3' } },
      { key: 'new-1', change: { change: 'raise', severity: 'critical', title: 'No bound' } },
    ]);
    expect(changesOf(NO_DECISIONS, ISSUES, RULES)).toEqual([]);
  });

  it('have the text of the ruling as their reason where they need one and have none', () => {
    const deferred = { change: 'defer', note: '' };
    const decisions = {
      I1: deferred,
      I3: { change: 'dismiss', note: '' },
      I4: { change: 'defer', note: 'In May.' },
    };
    const reasons = (text: string) =>
      changesOf({ decisions, raised: [] }, ISSUES, RULES, text).map(({ change, byWords }) => [
        change.note,
        byWords,
      ]);
    expect(reasons(' After two\n\nweeks. ')).toEqual([
      ['After two weeks.', true],
      [undefined, undefined],
      ['In May.', undefined],
    ]);
    // What is no text, or too long for a note, is none.
    expect(reasons(' ')[0]).toEqual([undefined, undefined]);
    expect(reasons('a'.repeat(1001))[0]).toEqual([undefined, undefined]);
  });

  it('can be taken back', () => {
    const dismissed = withDecision(NO_DECISIONS, 'I1', { change: 'dismiss', note: '' });
    expect(dismissed.decisions).toEqual({ I1: { change: 'dismiss', note: '' } });
    expect(withDecision(dismissed, 'I1', null)).toEqual(NO_DECISIONS);
  });

  it('give each new issue a key of its own', () => {
    const two = withNewIssue(withNewIssue(NO_DECISIONS));
    const three = withNewIssue({ ...two, raised: two.raised.slice(1) });
    expect(three.raised.map(({ key }) => key)).toEqual(['new-2', 'new-3']);
  });

  it('regrade to the next lower severity unless another is chosen', () => {
    const regraded = withDecision(NO_DECISIONS, 'I1', { change: 'regrade', note: '' });
    const change = { change: 'regrade', issue: 'I1' };
    expect(changesOf(regraded, ISSUES, RULES)[0]?.change).toEqual({ ...change, severity: 'medium' });
    const low = withDecision(NO_DECISIONS, 'I1', { change: 'regrade', note: '', severity: 'low' });
    expect(changesOf(low, ISSUES, RULES)[0]?.change).toEqual({ ...change, severity: 'low' });
  });

  it.each([
    ['critical', 'high'],
    ['high', 'medium'],
    ['medium', 'low'],
    // There is none below, and a newer server may have others.
    ['low', 'medium'],
    ['blocker', 'critical'],
  ])('%s is regraded to %s at first', (severity, next) => {
    expect(nextSeverity(issue({ severity }))).toBe(next);
  });

  it('open again only what the server says may be', () => {
    const deferred = issue({ id: 'I5', status: 'deferred', deferred_by: 'opponent', may: REOPENABLE });
    const reopened = withDecision(NO_DECISIONS, 'I5', { change: 'reopen', note: 'Now.' });
    const changes = changesOf(reopened, [...ISSUES, deferred], RULES);
    expect(changes[0]?.change).toEqual({ change: 'reopen', issue: 'I5', note: 'Now.' });
    expect(
      changesOf(withDecision(NO_DECISIONS, 'I1', { change: 'reopen', note: '' }), ISSUES, RULES),
    ).toEqual([]);
  });
});

it('offers what the server says may become of an issue, and asks for a note where it says so', () => {
  expect(choicesOf(issue())).toEqual(['uphold', 'dismiss', 'defer', 'regrade']);
  expect(choicesOf(issue({ may: REOPENABLE }))).toEqual(['reopen']);
  // Also one that this app has no words for.
  expect(choicesOf(issue({ may: { ...REOPENABLE, arbitrator: ['later'] } }))).toEqual(['later']);
  expect(['defer', 'uphold', 'later'].map((change) => needs('note', change, RULES))).toEqual([
    true,
    false,
    false,
  ]);
});

it('takes the note of the option away with its change, and brings it back with it; what was written stays', () => {
  const option = {
    label: 'Later',
    free_form: false,
    issue_changes: [{ change: 'defer', issue: 'I3', note: 'Not now.' }],
  };
  const offer = offerOf(option, 'I3');
  const upheld = withChange({ change: 'defer', note: 'Not now.' }, 'uphold', offer);
  expect(upheld).toEqual({ change: 'uphold', note: '' });
  expect(withChange(upheld, 'defer', offer)).toEqual({ change: 'defer', note: 'Not now.' });
  expect(withChange(null, 'defer', offer)).toEqual({ change: 'defer', note: 'Not now.' });
  const written = { change: 'uphold', note: 'As step 2 says.' };
  expect(withChange(written, 'defer', offer)).toEqual({ ...written, change: 'defer' });
  expect(withChange(written, 'dismiss', offerOf(undefined, 'I3'))).toEqual({ ...written, change: 'dismiss' });
});

describe('an option that decides issues', () => {
  const left = {
    label: 'Left',
    issue_changes: [
      { change: 'dismiss', issue: 'I3' },
      { change: 'regrade', issue: 'I1', severity: 'low', note: 'rare' },
      // What it can no longer decide.
      { change: 'uphold', issue: 'I9' },
      { change: 'reopen', issue: 'I4', note: 'again' },
    ],
  };
  const right = { label: 'Right', issue_changes: [{ change: 'uphold', issue: 'I3' }] };
  const decides = (option?: AppealOption) => decisionsOf(option, ISSUES);

  it('sets what a ruling may still make of them', () => {
    expect(decides(left)).toEqual({
      I3: { change: 'dismiss', note: '' },
      I1: { change: 'regrade', note: 'rare', severity: 'low' },
    });
    expect(decides()).toEqual({});
  });

  it('takes back what another option set, and keeps what a person changed', () => {
    const chosen = withOption(NO_DECISIONS, {}, decides(left));
    const changed = withDecision(chosen, 'I1', { change: 'uphold', note: '' });
    const own = withDecision(changed, 'I4', { change: 'dismiss', note: 'mine' });
    expect(withOption(own, decides(left), decides(right)).decisions).toEqual({
      I1: { change: 'uphold', note: '' },
      I3: { change: 'uphold', note: '' },
      I4: { change: 'dismiss', note: 'mine' },
    });
    expect(withOption(chosen, decides(left), {}).decisions).toEqual({});
  });

  it('leaves what a person decided before, whatever is chosen then', () => {
    const own = withDecision(NO_DECISIONS, 'I3', { change: 'dismiss', note: 'mine' });
    const agreed = withOption(own, {}, decides(left));
    const departed = withOption(agreed, decides(left), decides(right));
    for (const all of [agreed, departed, withOption(departed, decides(right), {})])
      expect(all.decisions.I3).toEqual({ change: 'dismiss', note: 'mine', own: true });
    // The note of an option explains the same decision, and goes with the option.
    const without = withDecision(NO_DECISIONS, 'I1', { change: 'regrade', note: '', severity: 'low' });
    const noted = withOption(without, {}, decides(left));
    expect(noted.decisions.I1?.note).toBe('rare');
    expect(withOption(noted, decides(left), decides(right)).decisions.I1?.note).toBe('');
  });

  it('leaves what a person wrote, which explains the decision of the next option', () => {
    const chosen = withOption(NO_DECISIONS, {}, decides(left));
    const noted = withDecision(chosen, 'I3', { change: 'dismiss', note: 'mine' });
    const other = withOption(noted, decides(left), decides(right));
    expect(other.decisions.I3).toEqual({ change: 'uphold', note: 'mine' });
    expect(withOption(other, decides(right), decides(left)).decisions).toEqual(noted.decisions);
    // Of an issue that the next option does not decide, it stays with its decision.
    expect(withOption(noted, decides(left), {}).decisions).toEqual({
      I3: { change: 'dismiss', note: 'mine' },
    });
    // What was written for several issues goes with their decision.
    const same = withSame(chosen, ISSUES, { change: 'dismiss', note: 'all' }, left);
    expect(withOption(same, decides(left), decides(right)).decisions.I3?.note).toBe('');
  });

  it('is sent as what the cards say', () => {
    const chosen = withOption(NO_DECISIONS, {}, decides(left));
    const cleared = withDecision(chosen, 'I3', null);
    expect(changesOf(cleared, ISSUES, RULES).map(({ change }) => change)).toEqual([
      { change: 'regrade', issue: 'I1', severity: 'low', note: 'rare' },
    ]);
  });
});

it('decides an issue as an option does, with its note if that is the chosen one and none was written', () => {
  const changes = [
    { change: 'defer', issue: 'I3', note: 'Later.' },
    { change: 'uphold', issue: 'I3', note: 'Now.' },
    { change: 'regrade', issue: 'I3', severity: 'low' },
  ];
  const options = changes.map((change, index) => ({ label: `Way ${index}`, issue_changes: [change] }));
  const [defer, uphold, regrade] = options.map((option) => decisionsOf(option, ISSUES).I3);
  if (!defer || !uphold || !regrade) throw new Error('not offered');
  const as = (former: Decision | null, offer: Decision) => withOffer(former, offer, 'I3', options, 0);
  expect(as(null, defer)).toEqual({ change: 'defer', note: 'Later.' });
  expect(as(defer, uphold)).toEqual({ change: 'uphold', note: '' });
  expect(as(uphold, regrade)).toEqual({ change: 'regrade', severity: 'low', note: '' });
  expect(as(regrade, defer)).toEqual({ change: 'defer', note: 'Later.' });
  const written = { ...defer, note: 'Not before May.', together: { change: 'defer', note: 'For all.' } };
  expect(as(written, uphold).note).toBe('Not before May.');
  expect(as({ ...written, note: 'For all.' }, uphold).note).toBe('');
  // The chosen one's words come with what it decides, also where another option that decides the same was pressed.
  const alike = { label: 'Way 3', issue_changes: [{ change: 'defer', issue: 'I3', note: 'For now.' }] };
  const offer = decisionsOf(alike, ISSUES).I3 ?? defer;
  expect(withOffer(uphold, offer, 'I3', [...options, alike], 0).note).toBe('Later.');
  expect(withOffer(uphold, offer, 'I3', [...options, alike], 1).note).toBe('');
});

it('is decided as all options that make the same of it, or as those whose note it has', () => {
  const changes = [
    { change: 'uphold', issue: 'I3', note: 'Now.' },
    { change: 'uphold', issue: 'I3' },
    { change: 'uphold', issue: 'I3', note: 'In May.' },
    { change: 'dismiss', issue: 'I3' },
  ];
  const options = changes.map((change, index) => ({ label: `Way ${index}`, issue_changes: [change] }));
  const as = (note: string, change = 'uphold') => decidedAs({ change, note }, issue({ id: 'I3' }), options);
  expect(as('')).toEqual([1]);
  expect(as('Now.')).toEqual([0]);
  expect(as('In May.')).toEqual([2]);
  expect(as('Written by myself.')).toEqual([0, 1, 2]);
  expect(as('', 'dismiss')).toEqual([3]);
  expect(as('', 'defer')).toEqual([]);
});

it('decides several issues at once, of those that may become that', () => {
  const all = [...ISSUES, issue({ id: 'I5', settled: true, may: REOPENABLE })];
  const same = withSame(DECIDED, all, { change: 'defer', note: 'Later.' }, undefined);
  const later = { change: 'defer', note: 'Later.' };
  const deferred = { ...later, together: later };
  expect(same.decisions).toEqual({
    I1: deferred,
    I2: { change: 'dismiss', note: '' },
    I3: deferred,
    I4: deferred,
  });
  // Without a note for all, each keeps its own, but for that of the option that it departs from.
  const option = {
    label: 'A',
    free_form: false,
    issue_changes: [{ change: 'dismiss', issue: 'I1', note: 'No.' }],
  };
  const chosen = {
    raised: [],
    decisions: { I1: { change: 'dismiss', note: 'No.' }, I3: { change: 'defer', note: 'Later.' } },
  };
  expect(withSame(chosen, ISSUES, { change: 'uphold' }, option).decisions).toMatchObject({
    I1: { change: 'uphold', note: '' },
    I3: { change: 'uphold', note: 'Later.' },
  });
});

it('takes the reason of several issues away with their decision, and brings it back with it', () => {
  const deferred = withSame(NO_DECISIONS, ISSUES, { change: 'defer', note: 'Next release' }, undefined);
  const [first, other] = [deferred.decisions.I1 ?? null, deferred.decisions.I3];
  const upheld = withChange(first, 'uphold', undefined);
  const sent = changesOf(withDecision(deferred, 'I1', upheld), ISSUES, RULES);
  expect(sent[0]?.change).toEqual({ change: 'uphold', issue: 'I1' });
  expect(sent[1]?.change).toEqual({ change: 'defer', issue: 'I3', note: 'Next release' });
  expect(withChange(upheld, 'defer', undefined).note).toBe('Next release');
  const dismissed = withSame(deferred, ISSUES, { change: 'dismiss' }, undefined);
  expect(Object.values(dismissed.decisions).map(({ note }) => note)).toEqual(['', '', '']);
  // What was written for one of them stays.
  expect(other && withChange({ ...other, note: 'Mine.' }, 'uphold', undefined).note).toBe('Mine.');
});

it('shows a refusal at the change that the server names', () => {
  const sent = changesOf(DECIDED, ISSUES, RULES);
  const failure = (field?: string) => ({ code: 'INVALID_INPUT', message: 'no', ...(field && { field }) });
  expect(faultOf(failure('issue_changes[1]'), sent)?.key).toBe('I3');
  expect(faultOf(failure('issue_changes[2].title'), sent)?.key).toBe('new-1');
  for (const field of [undefined, 'content', 'issue_changes', 'issue_changes[9]']) {
    expect(faultOf(failure(field), sent)).toBeNull();
  }
});
