import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { Loading, Said, Unfold } from './Question';

/** All that was said about an issue, and the argument in which it was raised, on demand. */
export function IssueHistory({ debateId, issue }: { debateId: string; issue: Issue }) {
  const t = useT();
  const { id, raised_seq, history = [] } = issue;
  return (
    <Unfold title={t('ruling.issues.all', { n: history.length })}>
      {() => (
        <>
          <ol aria-label={t('issues.history.label', { id })} className="grid gap-1.5">
            {history.map((entry) => (
              <HistoryEntry key={`${entry.seq} ${entry.change}`} debateId={debateId} entry={entry} />
            ))}
          </ol>
          <Unfold title={t('ruling.issues.evidence', { seq: raised_seq })}>
            {() => <Evidence debateId={debateId} seq={raised_seq} />}
          </Unfold>
        </>
      )}
    </Unfold>
  );
}

/** The argument in which an issue was raised. */
function Evidence({ debateId, seq }: { debateId: string; seq: number }) {
  const query = useQuery({
    queryKey: ['argument', debateId, seq],
    queryFn: ({ signal }) => api.debate(debateId, { after_seq: seq - 1, before_seq: seq + 1 }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const argument = query.data?.arguments[0];
  return argument === undefined ? <Loading query={query} /> : <Said argument={argument} />;
}
