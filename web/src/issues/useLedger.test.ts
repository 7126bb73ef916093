import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { api } from '@/api/client';
import { asks, counts, debate, issue } from '@/testing/samples';
import { type LedgerSource, ledgerQuery } from './useLedger';

const with1 = { debate: debate({ issue_counts: counts({ open: 1 }) }), issuesChangedSeq: 2 };
const without = { debate: debate(), issuesChangedSeq: 0 };

function observe(first: LedgerSource) {
  const ledger = vi.spyOn(api, 'ledger').mockReset().mockResolvedValue([issue()]);
  const observer = new QueryObserver(new QueryClient(), ledgerQuery(first));
  const unsubscribe = observer.subscribe(() => {});
  return { ledger, observer, unsubscribe };
}

it('asks for the issues again when one has changed or a ruling is due, and not with each argument', () => {
  const { ledger, observer, unsubscribe } = observe(with1);
  const calls = [
    with1,
    { ...with1, debate: { ...with1.debate, last_seq: 9, state: 'AWAITING_PROPOSER' } },
    { ...with1, issuesChangedSeq: 10 },
    { ...with1, debate: { ...with1.debate, issue_counts: counts({ fixed: 1 }) } },
    { ...with1, debate: { ...with1.debate, ruling_request: asks('APPEAL') } },
  ].map((source) => {
    observer.setOptions(ledgerQuery(source));
    return ledger.mock.calls.length;
  });
  unsubscribe();
  expect(calls).toEqual([1, 1, 2, 3, 4]);
});

it('asks for nothing where there is none, and still has that while the first issue is fetched', () => {
  const { ledger, observer, unsubscribe } = observe(without);
  expect(observer.getCurrentResult().data).toEqual([]);
  expect(ledger).not.toHaveBeenCalled();
  observer.setOptions(ledgerQuery(with1));
  expect(ledger).toHaveBeenCalledTimes(1);
  expect(observer.getCurrentResult().data).toEqual([]);
  unsubscribe();
});
