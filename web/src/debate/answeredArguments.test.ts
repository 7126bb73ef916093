import { expect, it } from 'vitest';
import { argument, run } from '@/testing/samples';
import { seqsOf } from './answeredArguments';

it('finds the argument that is answered, also the motion that is not among them', () => {
  const appeal = argument({ seq: 3, type: 'APPEAL', parent_id: 'argument-1' });
  const seqs = seqsOf([...run(2, 2), appeal], argument());
  expect(seqs.get(appeal.parent_id ?? '')).toBe(1);
  expect(seqs.get('argument-2')).toBe(2);
});
