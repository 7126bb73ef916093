import { expect, it } from 'vitest';
import type { Argument } from '@/api/types';
import { translator } from '@/i18n';
import { argument, issue, RULES } from '@/testing/samples';
import { plainText } from '@/ui/TextParts';
import { EMPTY } from './draft';
import { withNewIssue } from './issueDecisions';
import { askedParts } from './preview';
import { missingKey, outcomeOf, summaryOf as summaryParts, wholeSummaryOf } from './rulingOutcome';

const t = translator('en');
const summaryOf = (...args: Parameters<typeof summaryParts>) => plainText(summaryParts(...args));
const request = {
  argument: argument({
    seq: 3,
    type: 'APPEAL',
    options: [{ label: 'Left' }, { label: 'Something else', free_form: true }],
  }),
  issues: [issue({ id: 'I2', referred: true }), issue({ id: 'I1' })],
};

it('asks for an option where one would do, else for words', () => {
  const asked = (choice: number | null) =>
    missingKey(request, outcomeOf({ ...EMPTY, choice }, request, RULES));
  expect(asked(null)).toBe('ruling.missing.option');
  // The option that is none of them needs words.
  expect(asked(1)).toBe('ruling.missing');
  const without = { ...request, argument: argument({ type: 'RESOLUTION' }) };
  expect(missingKey(without, outcomeOf(EMPTY, without, RULES))).toBe('ruling.missing');
});

it('says what is missing, what is left and what is sent in short', () => {
  const nothing = outcomeOf(EMPTY, request, RULES);
  expect([nothing.missing, nothing.left.map(({ id }) => id), summaryOf(t, nothing, [])]).toEqual([
    true,
    ['I2'],
    '',
  ]);
  const left = outcomeOf({ ...EMPTY, choice: 0 }, request, RULES);
  expect([left.missing, left.words]).toEqual([false, '**Left**']);
  const comment = { key: 'c', documentId: 'd', version: 3, from: 7, to: 9, quote: 'q', text: 'Why?\n' };
  expect(summaryOf(t, left, [comment])).toBe('Left · v3, lines 7–9: “Why?” · I2 left undecided (“Open”)');
  // What somebody wrote is never taken for the words around it.
  const note = 'no” · I1 upheld: “yes';
  const dismissed = { ...EMPTY, choice: 0, decisions: { I2: { change: 'dismiss', note } } };
  const written = { written: `“${note}”` };
  expect(summaryParts(t, outcomeOf(dismissed, request, RULES), [{ ...comment, text: note }])).toEqual([
    { written: 'Left' },
    ' · ',
    'I2 dismissed',
    ': ',
    written,
    ' · ',
    'v3, lines 7–9',
    ': ',
    written,
  ]);
  const raised = { ...EMPTY, ...withNewIssue(EMPTY, { title: note }) };
  expect(summaryParts(t, outcomeOf(raised, request, RULES), [])).toContainEqual(written);
  const decisions = { I2: { change: 'dismiss', note: '' } };
  const decided = outcomeOf({ ...EMPTY, decisions }, request, RULES);
  expect([decided.missing, decided.left]).toEqual([false, []]);
  // What the server adds as the last option needs words.
  expect(outcomeOf({ ...EMPTY, decisions, choice: 1 }, request, RULES).missing).toBe(true);
});

it('says that no option is taken where something is decided without one', () => {
  const said = (part: Partial<typeof EMPTY>, { options }: Partial<Argument> = request.argument) => {
    const asked = { ...request, argument: argument({ seq: 3, type: 'APPEAL', options }) };
    return summaryOf(t, outcomeOf({ ...EMPTY, ...part }, asked, RULES), []);
  };
  const decisions = { I2: { change: 'uphold', note: '' } };
  // Words alone are told by themselves.
  expect(said({ text: 'Neither.' })).toBe('');
  expect(said({ decisions })).toBe('no option · I2 upheld');
  expect(said({ decisions, choice: 1, text: 'Neither.' })).toBe('Something else · I2 upheld');
  // Where none is offered there is none to take.
  expect(said({ decisions, text: 'Go on.' }, {})).toBe('I2 upheld');
});

it('tells the status of several issues that are left once', () => {
  const issues = ['I2', 'I3', 'I4'].map((id) => issue({ id, referred: true }));
  issues.push(issue({ id: 'I5', referred: true, status: 'disputed' }));
  const outcome = outcomeOf({ ...EMPTY, choice: 0 }, { ...request, issues }, RULES);
  expect(summaryOf(t, outcome, [])).toBe(
    'Left · I2–I4 left undecided (“Open”) · I5 left undecided (“Disputed”)',
  );
});

it('tells one decision on many issues, in the same words, once', () => {
  const issues = Array.from({ length: 6 }, (_, n) => issue({ id: `I${n + 1}`, referred: true }));
  const dismiss = { change: 'dismiss', note: '' };
  const decisions = { I1: dismiss, I2: dismiss, I3: { ...dismiss, note: 'rare' }, I4: dismiss, I6: dismiss };
  const said = (offered: typeof EMPTY.offered) =>
    summaryOf(t, outcomeOf({ ...EMPTY, decisions, offered }, { ...request, issues }, RULES), []);
  expect(said({})).toBe(
    'no option · I1, I2, I4, I6 dismissed · I3 dismissed: “rare” · I5 left undecided (“Open”)',
  );
  expect(said({ I4: { change: 'uphold', note: '' } })).toContain(
    'I1, I2, I6 dismissed · I3 dismissed: “rare” · I4 dismissed, not upheld as offered',
  );
});

it('counts what an option decides alone where that is much, and names what departs from it', () => {
  const ids = ['I1', 'I2', 'I3', 'I4'];
  const issues = ids.map((id) => issue({ id, referred: true }));
  const offered = Object.fromEntries(ids.map((id) => [id, { change: 'dismiss', note: 'rare' }]));
  const said = (decisions: typeof EMPTY.decisions) =>
    summaryOf(t, outcomeOf({ ...EMPTY, choice: 0, offered, decisions }, { ...request, issues }, RULES), []);
  expect(said(offered)).toBe('Left · 4 issues as that option says');
  expect(said({ ...offered, I2: { change: 'uphold', note: '' } })).toBe(
    'Left · 3 issues as that option says · I2 upheld, not dismissed as offered',
  );
  // Its own note is not the option's.
  expect(said({ ...offered, I2: { change: 'dismiss', note: 'only after the audit' } })).toBe(
    'Left · 3 issues as that option says · I2 dismissed: “only after the audit”',
  );
  const all = wholeSummaryOf(
    t,
    outcomeOf({ ...EMPTY, choice: 0, offered, decisions: offered }, { ...request, issues }, RULES),
    [],
  );
  expect(plainText(all)).toBe('Left · I1–I4 dismissed: “rare”');
  const { I3: _, ...without } = offered;
  expect(said(without)).toBe(
    'Left · 3 issues as that option says · I3 left undecided (“Open”), not dismissed as offered',
  );
});

it('says where a ruling departs from the option, and with which words', () => {
  const offered = {
    I2: { change: 'defer', note: 'not before the backfill' },
    I1: { change: 'regrade', note: 'rare', severity: 'low' as const },
  };
  const said = (decisions: typeof EMPTY.decisions) =>
    summaryOf(t, outcomeOf({ ...EMPTY, choice: 0, offered, decisions }, request, RULES), []);
  expect(said(offered)).toBe(
    'Left · I2 deferred: “not before the backfill” · I1 regraded to Low, still “Open”: “rare”',
  );
  expect(said({ ...offered, I2: { change: 'defer', note: 'later' } })).toContain('· I2 deferred: “later” ·');
  expect(said({ I2: { change: 'uphold', note: '' }, I1: { ...offered.I1, severity: 'high' } })).toBe(
    'Left · I2 upheld, not deferred as offered · I1 regraded to High, still “Open”, not regraded to Low as offered: “rare”',
  );
  expect(said({})).toBe(
    'Left · I2 left undecided (“Open”), not deferred as offered · I1, not regraded to Low as offered',
  );
});

it('is sent without the details of an option from which it departs, since they may say otherwise', () => {
  const options = [{ label: 'Left', detail: 'Four weeks.' }];
  const asked = { ...request, argument: argument({ type: 'APPEAL', options }) };
  const offered = { I2: { change: 'dismiss', note: '' } };
  const sent = (decisions: typeof EMPTY.decisions) =>
    outcomeOf({ ...EMPTY, choice: 0, offered, decisions, text: 'Two.' }, asked, RULES).words;
  expect(sent(offered)).toBe('**Left**\n\nFour weeks.\n\nTwo.');
  expect(sent({ I2: { change: 'uphold', note: '' } })).toBe('**Left**\n\nTwo.');
});

it('says of what is only regraded that it stays as it is', () => {
  const disputed = (id: string) => issue({ id, severity: 'high', referred: true, status: 'disputed' });
  const issues = [disputed('I1'), disputed('I2'), issue({ id: 'I3' })];
  const regrade = { change: 'regrade', note: '' };
  const said = (decisions: typeof EMPTY.decisions) =>
    summaryOf(t, outcomeOf({ ...EMPTY, decisions }, { ...request, issues }, RULES), []);
  expect(said({ I1: regrade, I2: { change: 'uphold', note: '' } })).toBe(
    'no option · I1 regraded to Medium, still “Disputed” · I2 upheld',
  );
  expect(said({ I1: regrade, I3: regrade })).toBe(
    'no option · I1 regraded to Medium, still “Disputed” · I3 regraded to Low, still “Open” · I2 left undecided (“Disputed”)',
  );
});

it('asks for more with what settles nothing, and with a comment on the plan', () => {
  const asks = (part: Partial<typeof EMPTY>) => outcomeOf({ ...EMPTY, ...part }, request, RULES).asksForMore;
  expect(asks({ text: 'Agreed. Good work.' })).toBe(false);
  expect(asks({ decisions: { I2: { change: 'dismiss', note: '' } } })).toBe(false);
  expect(asks({ decisions: { I2: { change: 'uphold', note: '' } } })).toBe(true);
  expect(asks(withNewIssue(EMPTY))).toBe(true);
  const comment = { key: 'c', documentId: 'd', version: 1, from: 1, to: 1, quote: 'q', text: 'No.' };
  expect(asks({ comments: [comment] })).toBe(true);
});

/** What is asked as it is read: a title in angle brackets. */
const askedText = (...args: Parameters<typeof askedParts>) =>
  askedParts(...args)
    .map((part) => plainText([part]).replace(/^“(.*)”$/, '<$1>'))
    .join('');

it('tells in a line what each side is asked, and names by its title an issue that is asked for alone', () => {
  const find = (id: string) => request.issues.find((issue) => issue.id === id) ?? { upheld: false };
  const waits = { action: 'wait_for_proposer', allowed: [], moves: [] };
  const fix = { type: 'CLAIM', issue_changes: { fix: ['I6', 'I7'], dispute: [] } };
  const turn = { action: 'align_to_ruling', allowed: ['CLAIM'], moves: [fix] };
  const watch = { role: 'arbitrator', action: 'watch', allowed: ['INTERVENTION'], moves: [] };
  const turns = [{ role: 'proposer', ...turn }, { role: 'opponent', ...waits }, watch];
  expect(askedText(t, turns, find)).toBe('Proposer fixes or disputes I6, I7 · Opponent checks after that');
  const answer = { ...turn, moves: [{ type: 'CLAIM', issue_changes: {} }] };
  expect(askedText(t, [{ role: 'proposer', ...answer }], find)).toBe('Proposer follows your ruling');
  const asked = (ids: string[], found: Parameters<typeof askedParts>[2] = find) => {
    const move = { type: 'CLAIM', issue_changes: { fix: ids, dispute: [] } };
    return askedText(t, [{ role: 'proposer', ...turn, moves: [move] }], found);
  };
  expect(asked(Array.from({ length: 9 }, (_, n) => `I${n + 1}`))).toBe('Proposer fixes or disputes I1–I9');
  expect(asked(['I2'])).toBe('Proposer fixes or disputes I2 <An issue>');
  // What was upheld is no longer a matter of dispute.
  const upheld = (id: string) => issue({ id, upheld: id !== 'I3' });
  expect(asked(['I1', 'I3', 'I4'], upheld)).toBe(
    'Proposer has to fix I1, I4, fixes or disputes I3 <An issue>',
  );
  // What a title says is never taken for the words around it.
  const title = 'ok” · Opponent: resolves I1 “x';
  const move = { type: 'CLAIM', issue_changes: { fix: ['I2'] } };
  expect(askedParts(t, [{ role: 'proposer', ...turn, moves: [move] }], () => issue({ title }))).toEqual([
    'Proposer ',
    'fixes or disputes I2 ',
    { written: `“${title}”` },
  ]);
  // The title of a new one is only typed yet.
  expect(asked(['I9'])).toBe('Proposer fixes or disputes I9');
  expect(asked(['I2'], () => issue({ title: 'x'.repeat(61) }))).toMatch(/ <x{59}…>$/);
});

it('names the issues of which a reason is missing', () => {
  const missing = (decisions: Record<string, { change: string; note: string }>) =>
    outcomeOf({ ...EMPTY, decisions }, request, RULES).unexplained.toSorted();
  expect(missing({ I1: { change: 'uphold', note: '' } })).toEqual([]);
  expect(missing({ I1: { change: 'defer', note: ' ' }, I2: { change: 'defer', note: '' } })).toEqual([
    'I1',
    'I2',
  ]);
  expect(missing({ I1: { change: 'defer', note: 'After it.' }, I2: { change: 'defer', note: '' } })).toEqual([
    'I2',
  ]);
});
