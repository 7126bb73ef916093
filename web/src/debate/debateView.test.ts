import { describe, expect, it } from 'vitest';
import { argument, debate, issue, run } from '@/testing/samples';
import {
  appendArgument,
  atEnd,
  atStart,
  firstSeq,
  fromContext,
  joinPage,
  jumpToPage,
  lastSeq,
  withIssues,
} from './debateView';

const motion = argument();
const short = fromContext({
  debate: debate(),
  motion,
  arguments: run(2, 4),
  earlier_rulings: [],
  issues: [],
  turns: [],
});
const long = fromContext({
  debate: debate({ last_seq: 90 }),
  motion,
  arguments: run(61, 90),
  earlier_rulings: [],
  issues: [],
  turns: [],
});

describe('the window of arguments', () => {
  it('starts with the motion if it reaches the beginning', () => {
    expect(short.items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(atStart(short)).toBe(true);
    expect(firstSeq(long)).toBe(61);
    expect(atStart(long)).toBe(false);
    expect(
      fromContext({ debate: debate(), motion, arguments: [], earlier_rulings: [], issues: [], turns: [] })
        .items,
    ).toEqual([motion]);
  });

  it('appends a new argument once', () => {
    const next = appendArgument(short, argument({ seq: 5 }));
    expect(lastSeq(next)).toBe(5);
    expect(next.debate.last_seq).toBe(5);
    expect(appendArgument(next, argument({ seq: 5 }))).toBe(next);
  });

  it('does not append a new argument while it is elsewhere in the debate', () => {
    const elsewhere = appendArgument(jumpToPage(long, run(10, 20)), argument({ seq: 91 }));
    expect(lastSeq(elsewhere)).toBe(20);
    expect(elsewhere.last.seq).toBe(91);
    expect(atEnd(elsewhere)).toBe(false);
  });

  it('grows by adjacent pages only', () => {
    const earlier = joinPage(long, run(1, 60));
    expect(earlier.items).toHaveLength(90);
    expect(joinPage(long, run(1, 20))).toBe(long);
    expect(joinPage(long, [])).toBe(long);
    const later = joinPage(jumpToPage(long, run(1, 30)), run(31, 60));
    expect(later.items).toHaveLength(60);
  });

  it('has a new epoch after a jump', () => {
    expect(jumpToPage(long, run(1, 30)).epoch).toBe(long.epoch + 1);
  });
});

describe('what is asked', () => {
  it('is kept wherever the window is, with the time of the newest ruling', () => {
    const elsewhere = jumpToPage(long, run(10, 20));
    const ruling = argument({ seq: 91, type: 'RULING', created_at: '2030-01-01T00:09:00Z' });
    const ruled = appendArgument(elsewhere, ruling);
    expect(ruled.newest.map(({ seq }) => seq)).toEqual([87, 88, 89, 90, 91]);
    expect([long.ruledAt, ruled.ruledAt]).toEqual([null, ruling.created_at]);
    expect(appendArgument(ruled, argument({ seq: 92 })).ruledAt).toBe(ruling.created_at);
  });

  it('is known of a ruling before the window', () => {
    const earlier = argument({ seq: 9, type: 'RULING', created_at: '2030-01-01T00:01:00Z' });
    const context = { debate: debate(), motion, issues: [], turns: [] };
    const view = fromContext({ ...context, arguments: run(61, 90), earlier_rulings: [earlier] });
    expect(view.ruledAt).toBe(earlier.created_at);
  });
});

it('knows the newest change of the issues, also where the issue that changed is told no more', () => {
  expect(short.issuesChangedSeq).toBe(0);
  const changed = withIssues(
    short,
    [issue({ changed_seq: 4 }), issue({ id: 'I2', changed_seq: 2 })],
    debate(),
  );
  expect(changed.issuesChangedSeq).toBe(4);
  expect(withIssues(changed, [issue({ id: 'I2', changed_seq: 2 })], debate()).issuesChangedSeq).toBe(4);
  expect(appendArgument(changed, argument({ seq: 5 })).issuesChangedSeq).toBe(4);
});
