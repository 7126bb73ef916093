import { describe, expect, it } from 'vitest';
import { argument, run } from '@/testing/samples';
import { relations } from './answeredArguments';

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

  it('find the argument that is answered', () => {
    expect(items.map(parentSeq)).toEqual([null, 1, 1, null, null, null]);
    expect(parentSeq(argument({ parent_id: 'not loaded' }))).toBeNull();
  });

  it('find the appeal that a ruling decided', () => {
    expect(ruling && appealOf(ruling)).toBe(appeal);
    expect(second && appealOf(second)).toBeNull();
  });
});
