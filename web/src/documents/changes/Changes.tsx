import { Equal, Scissors } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { DocumentVersion } from '@/api/types';
import { download } from '@/documents/content';
import { useDocumentVersion } from '@/documents/queries';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { TextSkeleton } from '@/ui/Skeleton';
import { LoadingFailed } from '../DocumentError';
import { BlockChanges } from './BlockChanges';
import { ChangeSteps } from './ChangeSteps';
import { type AnswersAt, countParts } from './changedParts';
import { changedPart, RowChanges } from './RowChanges';
import { useComparison } from './useComparison';

interface ChangesProps {
  from: number;
  after: DocumentVersion;
  form: 'rendered' | 'raw';
  answers?: AnswersAt;
  /** Whether what did not change is shown, too, where the text is short. */
  around?: boolean;
  /** Shows the newer version as its raw text. */
  onRaw?: () => void;
}

/** What changed from one version of a document to another. */
export function Changes(props: ChangesProps): ReactNode {
  const { from, after, form, answers, around = false, onRaw } = props;
  const t = useT();
  const query = useDocumentVersion(after.document_id, from);
  const before = query.data?.version;
  const request = useMemo(
    () => (before === undefined ? null : { before: before.content, after: after.content, form }),
    [before, after, form],
  );
  const comparison = useComparison(request);
  if (from === after.version) return <Notice heading="h3" icon={Equal} title={t('documents.itself')} />;
  if (query.isError) return <LoadingFailed query={query} />;
  if (before === undefined || comparison === undefined) return <TextSkeleton />;
  const versions = { from: before.version, to: after.version };
  switch (comparison.kind) {
    case 'same':
      return <Notice heading="h3" icon={Equal} title={t('documents.same', versions)} />;
    case 'tooLarge':
      return (
        <Notice
          heading="h3"
          icon={Scissors}
          title={t('documents.tooLarge')}
          text={t('documents.tooLarge.text')}
        >
          <div className="flex flex-wrap justify-center gap-2">
            {onRaw && (
              <Button size="sm" variant="primary" onClick={onRaw}>
                {t('documents.raw.version', { n: after.version })}
              </Button>
            )}
            {[before, after].map((version) => (
              <Button size="sm" key={version.version} onClick={() => download(version)}>
                {t('documents.download.version', { n: version.version })}
              </Button>
            ))}
          </div>
        </Notice>
      );
    case 'rows': {
      const { rows, added, removed } = comparison;
      return (
        <div className="px-3 pb-6 sm:px-8">
          <ChangeSteps count={countParts(rows, changedPart)}>
            <span className="text-success">{t('documents.added', { n: added })}</span>
            <span className="text-destructive">{t('documents.removed', { n: removed })}</span>
          </ChangeSteps>
          <RowChanges rows={rows} {...versions} titled answers={answers} />
        </div>
      );
    }
    case 'blocks':
      return <BlockChanges {...{ comparison, before, after, answers, around }} />;
  }
}
