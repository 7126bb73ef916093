import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { HistoryEntry } from './HistoryEntry';
import type { Histories } from './useIssueHistories';

interface IssueHistoryProps {
  id: string;
  debateId: string;
  histories: Histories;
  tabIndex: number;
  onJump: (seq: number) => void;
}

export function IssueHistory({ id, debateId, histories, tabIndex, onJump }: IssueHistoryProps) {
  const t = useT();
  const entries = histories.data?.find((issue) => issue.id === id)?.history;
  if (entries === undefined) {
    return histories.isError ? (
      <p className="mt-2 flex items-center gap-2 text-xs text-muted-foreground">
        {t('issues.history.failed')}
        <Button size="sm" onClick={() => void histories.refetch()}>
          {t('failed.retry')}
        </Button>
      </p>
    ) : (
      <p role="status" className="mt-2 text-xs text-muted-foreground">
        {t('issues.loading')}
      </p>
    );
  }
  return (
    <ol aria-label={t('issues.history.label', { id })} className="mt-2 grid gap-2 border-l-2 pl-3">
      {entries.map((entry) => (
        // An argument changes an issue at most once.
        <HistoryEntry key={entry.seq} entry={entry} debateId={debateId} tabIndex={tabIndex} onJump={onJump} />
      ))}
    </ol>
  );
}
