import { expect, it } from 'vitest';
import type { Debate } from '@/api/types';
import { argument, asks, debate, issue, REOPENABLE } from '@/testing/samples';
import { appendArgument, fromContext } from '../debateView';
import { optionText, requestIn, unseenPlan } from './rulingRequest';

const at = (minute: number) => `2030-01-01T00:0${minute}:00Z`;
const ROLES: Record<string, string> = { CLAIM: 'opponent', INTERVENTION: 'arbitrator', RULING: 'arbitrator' };
const MOVES = [
  { type: 'RULING', close: false, issue_changes: {} },
  { type: 'RULING', close: true, issue_changes: {} },
];
const ISSUES = [issue({ id: 'I1' }), issue({ id: 'I3', referred: true })];
const context = (types: readonly string[], asked: Debate['ruling_request'] = null) =>
  fromContext({
    debate: debate({ ruling_request: asked }),
    motion: argument({ created_at: at(0) }),
    arguments: types.map((type, index) =>
      argument({ seq: index + 2, type, role: ROLES[type] ?? 'proposer', created_at: at(index + 1) }),
    ),
    earlier_rulings: [],
    issues: ISSUES,
    turns: [
      { role: 'opponent', action: 'wait_for_ruling', allowed: [], moves: [] },
      { role: 'arbitrator', action: 'rule', allowed: ['RULING'], moves: MOVES },
    ],
  });

it.each([
  // What is asked, as the server says, the Stop, and what each side said last.
  [['CLAIM', 'APPEAL'], asks('APPEAL'), 3, null, [1, 2]],
  [['CLAIM', 'RESOLUTION'], asks('RESOLUTION'), 3, null, [1, 2]],
  [['CLAIM', 'INTERVENTION'], asks('INTERVENTION'), 3, 3, [1, 2]],
  // What is delivered late is no Stop.
  [['INTERVENTION', 'CLAIM'], asks('INTERVENTION', { seq: 2 }), 3, 2, [1]],
  [['CLAIM', 'RULING', 'INTERVENTION', 'APPEAL'], asks('INTERVENTION', { seq: 4 }), 5, 4, [1, 2]],
])('after %s', (types, asked, seq, stop, sides) => {
  const request = requestIn(context(types, asked), []);
  expect(request.argument.seq).toBe(seq);
  expect(request.stop?.seq ?? null).toBe(stop);
  expect(request.sides.map(({ seq }) => seq)).toEqual(sides);
});

it('may go on without a word where it was only stopped', () => {
  const stopped = (types: readonly string[], seq: number) =>
    requestIn(context(types, asks('INTERVENTION', { seq })), []).mayGoOn;
  expect(stopped(['CLAIM', 'INTERVENTION'], 3)).toBe(true);
  expect(stopped(['INTERVENTION', 'CLAIM'], 2)).toBe(true);
  // What is asked late has to be decided.
  expect(stopped(['CLAIM', 'INTERVENTION', 'APPEAL'], 3)).toBe(false);
  expect(requestIn(context(['CLAIM', 'APPEAL'], asks('APPEAL')), []).mayGoOn).toBe(false);
});

it('goes on showing what was asked while a ruling on it is told before what follows', () => {
  const asked = asks('APPEAL');
  const ruled = appendArgument(
    context(['CLAIM', 'APPEAL'], asked),
    argument({ seq: 4, type: 'RULING', role: 'arbitrator' }),
  );
  expect(requestIn(ruled, []).argument.seq).toBe(3);
  const stopped = asks('INTERVENTION', { seq: 3 });
  const after = appendArgument(
    context(['CLAIM', 'INTERVENTION'], stopped),
    argument({ seq: 4, type: 'RULING', role: 'arbitrator' }),
  );
  expect(requestIn(after, []).argument.seq).toBe(3);
});

it('is to finish on a resolution, and agreed only where the server says so', () => {
  const told = (on: string, agreed: boolean) => {
    const request = requestIn(context(['CLAIM', on], asks(on, { agreed })), []);
    return [request.toFinish, request.agreed];
  };
  expect(told('RESOLUTION', true)).toEqual([true, true]);
  expect(told('RESOLUTION', false)).toEqual([true, false]);
  expect(told('APPEAL', false)).toEqual([false, false]);
});

it('has the rulings that fit, and what the appeal refers to first, with its history', () => {
  const history = [{ seq: 2, argument_id: 'a', role: 'opponent', change: 'raise' }];
  const known = [issue({ id: 'I1' }), issue({ id: 'I3', referred: true, history })];
  const request = requestIn(context(['CLAIM', 'APPEAL']), known);
  expect(request.moves).toEqual(MOVES);
  expect(request.issues.map(({ id }) => id)).toEqual(['I3', 'I1']);
  expect(request.issues[0]?.history).toEqual(history);
  expect(request.ruledAt).toBeNull();
  const deferred = [REOPENABLE, { ...REOPENABLE, arbitrator: [] }].map((may, index) =>
    issue({ id: `I${7 + index}`, status: 'deferred', deferred_by: 'opponent', may }),
  );
  expect(requestIn(context(['CLAIM', 'APPEAL']), [...known, ...deferred]).issues.map(({ id }) => id)).toEqual(
    ['I3', 'I1', 'I7'],
  );
  expect(requestIn(context(['CLAIM', 'RULING', 'APPEAL']), []).ruledAt).toBe(at(2));
});

it('knows a version of the plan that the opponent cannot have agreed to', () => {
  const plan = { document_id: 'd', version: 3, sha256: '', first_version: 1, seen_version: 4, seen: false };
  expect(unseenPlan(debate({ plan }))).toBe(plan);
  expect(unseenPlan(debate({ plan: { ...plan, seen: true } }))).toBeNull();
  expect(unseenPlan(debate())).toBeNull();
});

it('puts the text of an option before the ruling, unless it is something else', () => {
  const left = { label: 'Left', detail: 'one', free_form: false };
  expect(optionText(left, false)).toBe('**Left**\n\none');
  // The details may say what the ruling decides otherwise.
  expect(optionText(left, true)).toBe('**Left**');
  expect(optionText({ label: 'Left', free_form: false }, false)).toBe('**Left**');
  expect(optionText({ label: 'Other', free_form: true }, false)).toBe('');
  expect(optionText(undefined, false)).toBe('');
});
