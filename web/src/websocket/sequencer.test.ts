import { describe, expect, it, vi } from 'vitest';
import { argument } from '@/testing/samples';
import { Sequencer } from './sequencer';

function setUp(last: number, stored: readonly number[] = []) {
  const delivered: number[] = [];
  const fetchRange = vi.fn(async (after: number, before: number) =>
    stored.filter((seq) => seq > after && seq < before).map((seq) => argument({ seq })),
  );
  const sequencer = new Sequencer({ last, fetchRange, deliver: ({ seq }) => delivered.push(seq) });
  const push = (...seqs: number[]) => sequencer.push(seqs.map((seq) => argument({ seq })));
  return { delivered, fetchRange, push, sequencer };
}

describe('the sequencer', () => {
  it('delivers what follows, and nothing twice', () => {
    const { delivered, fetchRange, push } = setUp(2);
    push(1, 2, 3);
    push(3, 4);
    expect(delivered).toEqual([3, 4]);
    expect(fetchRange).not.toHaveBeenCalled();
  });

  it('sorts a batch', () => {
    const { delivered, push } = setUp(0);
    push(3, 1, 2);
    expect(delivered).toEqual([1, 2, 3]);
  });

  it('fills a gap before it delivers later arguments', async () => {
    const { delivered, fetchRange, push } = setUp(2, [1, 2, 3, 4, 5]);
    push(6);
    expect(delivered).toEqual([]);
    push(7);
    await vi.waitFor(() => expect(delivered).toEqual([3, 4, 5, 6, 7]));
    expect(fetchRange).toHaveBeenCalledExactlyOnceWith(2, 6);
  });

  it('fills a gap of several pages, newest page first', async () => {
    const delivered: number[] = [];
    const sequencer = new Sequencer({
      last: 0,
      fetchRange: async (after, before) =>
        [1, 2, 3, 4, 5]
          .filter((seq) => seq > after && seq < before)
          .slice(-2)
          .map((seq) => argument({ seq })),
      deliver: ({ seq }) => delivered.push(seq),
    });
    sequencer.push([argument({ seq: 6 })]);
    await vi.waitFor(() => expect(delivered).toEqual([1, 2, 3, 4, 5, 6]));
  });

  it('tries again with the next argument after a failure', async () => {
    const { delivered, fetchRange, push } = setUp(0, [1]);
    fetchRange.mockRejectedValueOnce(new Error('unreachable'));
    push(2);
    await vi.waitFor(() => expect(fetchRange).toHaveBeenCalledOnce());
    await Promise.resolve();
    expect(delivered).toEqual([]);
    push(3);
    await vi.waitFor(() => expect(delivered).toEqual([1, 2, 3]));
  });
});
