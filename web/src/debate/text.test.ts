import { describe, expect, it } from 'vitest';
import { agentCommand } from '@/shell/commands';
import { argument, debate, run } from '@/testing/samples';
import { sizeLabel } from '@/ui/size';
import { isLong, preview } from './fold';
import { presenceOf } from './presence';
import { indexOf, relations } from './relations';
import { seqInHash } from './session';

describe('folding', () => {
  it('folds by length and by lines', () => {
    expect(isLong('short')).toBe(false);
    expect(isLong('x'.repeat(1601))).toBe(true);
    expect(isLong('x\n'.repeat(27))).toBe(true);
  });

  it('previews less than the whole and tells the size of all of it', () => {
    expect(preview('x\n'.repeat(2000)).split('\n').length).toBeLessThanOrEqual(48);
    expect(preview('y'.repeat(9000))).toHaveLength(2400);
    expect(sizeLabel('đ'.repeat(1024))).toBe('2.0 KiB');
    expect(sizeLabel('đ')).toBe('2 B');
  });
});

describe('relations', () => {
  const items = [
    ...run(1, 2),
    argument({ seq: 3, type: 'APPEAL', parent_id: 'argument-1' }),
    argument({ seq: 4, type: 'RULING', parent_id: null }),
    argument({ seq: 5, type: 'INTERVENTION', parent_id: null }),
    argument({ seq: 6, type: 'RULING', parent_id: null }),
  ];
  const [motion, , appeal, ruling, , second] = items as [(typeof items)[0], ...typeof items];
  const { parentSeq, appealOf } = relations(items, motion);

  it('tells who answers whom', () => {
    expect(items.map(parentSeq)).toEqual([null, 1, 1, null, null, null]);
    expect(parentSeq(argument({ parent_id: 'elsewhere' }))).toBeNull();
  });

  it('tells which appeal a ruling decided', () => {
    expect(ruling && appealOf(ruling)).toBe(appeal);
    expect(second && appealOf(second)).toBeNull();
  });

  it('finds an argument by its seq', () => {
    expect(indexOf(run(10, 20), 12)).toBe(2);
    expect(indexOf(run(10, 20), 9)).toBe(-1);
    expect(indexOf(run(10, 20), 21)).toBe(-1);
  });
});

describe('presence', () => {
  const waiting = [{ role: 'proposer', since: 'then' }] as const;
  it('tells waiting, composing and away apart', () => {
    expect(presenceOf('proposer', debate(), waiting)).toEqual({ kind: 'waiting', since: 'then' });
    expect(presenceOf('opponent', debate(), waiting)).toMatchObject({ kind: 'composing' });
    expect(presenceOf('opponent', debate({ state: 'AWAITING_PROPOSER' }), waiting)).toEqual({ kind: 'away' });
    expect(presenceOf('opponent', debate({ state: 'SOMETHING_NEW' }), waiting)).toEqual({ kind: 'away' });
  });
});

it('writes the agents’ commands, with the server only where the CLI would not find it', () => {
  expect(agentCommand('context', 'd', 'http://127.0.0.1:3456')).toBe('aw debate get-context --debate-id d');
  expect(agentCommand('opponent', 'd', 'http://host:1')).toBe(
    'DEBATE_SERVER_URL=http://host:1 aw debate wait --debate-id d --role opponent',
  );
});

it('reads the argument in the address', () => {
  expect(seqInHash('#12')).toBe(12);
  expect(seqInHash('')).toBeNull();
  expect(seqInHash('#a12')).toBeNull();
});
