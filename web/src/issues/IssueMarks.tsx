import { Gavel, Repeat2, Scale } from 'lucide-react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Badge } from '@/ui/badge';

/** What sets an issue apart besides its status: upheld, referred, stalled. */
export function IssueMarks({ issue }: { issue: Issue }) {
  const t = useT();
  return (
    <>
      {issue.referred && (
        <Badge tone="arbitrator" title={t('issues.referred.text')}>
          <Scale aria-hidden />
          {t('issues.referred')}
        </Badge>
      )}
      {issue.upheld && (
        <Badge tone="arbitrator" title={t('issues.upheld.text')}>
          <Gavel aria-hidden />
          {t('issues.upheld')}
        </Badge>
      )}
      {issue.stalled && (
        <Badge tone="opponent" title={t('issues.stalled.text', { n: issue.reopened })}>
          <Repeat2 aria-hidden />
          {t('issues.stalled')}
        </Badge>
      )}
    </>
  );
}
