import { useEffect, useState } from 'react';
import { api } from '@/api/client';
import type { RecordPlan } from '@/api/types';

/** The plan that a resolution cites, if the opponent cannot have agreed to it. */
export function useUnseenPlan(debateId: string, lastSeq: number, resolution: boolean): RecordPlan | null {
  const [plan, setPlan] = useState<RecordPlan | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each argument may change the record
  useEffect(() => {
    if (!resolution) return;
    const abort = new AbortController();
    // Without an answer there is nothing to warn of.
    api.record(debateId, abort.signal).then(
      ({ record }) => setPlan(record.plan),
      () => setPlan(null),
    );
    return () => abort.abort();
  }, [debateId, lastSeq, resolution]);
  return resolution && plan !== null && !plan.seen_by_opponent ? plan : null;
}
