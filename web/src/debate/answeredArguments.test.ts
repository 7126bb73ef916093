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
  const { seqs, appeals } = relations(items, motion);

  it('find the argument that is answered', () => {
    expect(items.slice(0, 3).map(({ parent_id }) => seqs.get(parent_id ?? ''))).toEqual([undefined, 1, 1]);
  });

  it('find the appeal that a ruling decided', () => {
    expect(appeals.get(ruling?.id ?? '')).toBe(appeal);
    expect(appeals.has(second?.id ?? '')).toBe(false);
  });
});
