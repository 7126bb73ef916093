import { expect, it } from 'vitest';
import type { Turn } from '@/api/types';
import { presenceOf } from './PresenceList';

const waiting = [{ role: 'proposer', since: 'then' }];
const turn = (role: Turn['role'], moves: Turn['moves']): Turn => ({
  role,
  action: 'respond',
  allowed: [],
  moves,
});
const TURNS = [turn('proposer', []), turn('opponent', [{ type: 'CLAIM', issue_changes: {} }])];

it('tells waiting, having the turn and neither apart', () => {
  const told = { waiting, silent: [] };
  expect(presenceOf('proposer', TURNS, 'now', told)).toEqual({ kind: 'waiting', since: 'then' });
  expect(presenceOf('opponent', TURNS, 'now', told)).toEqual({ kind: 'turn', since: 'now' });
  expect(presenceOf('proposer', TURNS, 'now', { waiting: [], silent: [] }).kind).toBe('absent');
});

it('shows a side as silent once the server says so', () => {
  const told = { waiting, silent: [{ role: 'opponent', since: 'long ago' }] };
  expect(presenceOf('opponent', TURNS, 'now', told)).toEqual({ kind: 'silent', since: 'long ago' });
  expect(presenceOf('proposer', TURNS, 'now', told)).toEqual({ kind: 'waiting', since: 'then' });
});

it('gives nobody the turn while a ruling is due, though an argument may still be delivered', () => {
  const due = [...TURNS, turn('arbitrator', [{ type: 'RULING', close: false, issue_changes: {} }])];
  expect(presenceOf('opponent', due, 'now', { waiting, silent: [] }).kind).toBe('absent');
});
