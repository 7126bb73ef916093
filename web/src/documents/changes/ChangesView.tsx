import { Equal, Scissors, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DocumentInfo, DocumentVersion, DocumentVersionEntry } from '@/api/types';
import { useT } from '@/i18n';
import { commandLine } from '@/lib/agentCommands';
import { type DocumentRoute, replaceDocuments } from '@/lib/documentRoute';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useCopy } from '@/ui/useCopy';
import { download } from '../download';
import { TextSkeleton } from '../TextSkeleton';
import { useDocumentVersion } from '../useDocumentVersion';
import { ChangesTable } from './ChangesTable';
import { useComparison } from './useComparison';
import { VersionSelect } from './VersionSelect';

interface ChangesViewProps {
  route: DocumentRoute;
  info: DocumentInfo;
  shown: DocumentVersion;
  /** The loaded versions, for the labels of the choices. */
  versions: readonly DocumentVersionEntry[];
}

/** The changes between two versions, and the choice of both. */
export function ChangesView({ route, info, shown, versions }: ChangesViewProps) {
  const t = useT();
  const from = route.from ?? Math.max(1, shown.version - 1);
  const query = useDocumentVersion(route.id, from);
  if (info.latest_version === 1) return <Notice heading="h3" icon={Equal} title={t('documents.single')} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-3 py-3 text-sm sm:px-5">
        <VersionSelect
          label={t('documents.compare.from')}
          chosen={from}
          latest={info.latest_version}
          versions={versions}
          onChoose={(chosen) =>
            replaceDocuments({ ...route, version: shown.version, view: 'changes', from: chosen })
          }
        />
        <span aria-hidden className="text-muted-foreground">
          →
        </span>
        <VersionSelect
          label={t('documents.compare.to')}
          chosen={shown.version}
          latest={info.latest_version}
          versions={versions}
          onChoose={(chosen) => replaceDocuments({ ...route, version: chosen, view: 'changes', from })}
        />
      </div>
      {query.isPending && <TextSkeleton />}
      {query.isError && (
        <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')}>
          <p className="text-sm text-muted-foreground">{t.failure(query.error.failure)}</p>
          <Button onClick={() => void query.refetch()}>{t('failed.retry')}</Button>
        </Notice>
      )}
      {query.isSuccess && <Compared before={query.data.version} after={shown} />}
    </>
  );
}

function Compared({ before, after }: { before: DocumentVersion; after: DocumentVersion }): ReactNode {
  const t = useT();
  const copy = useCopy();
  const comparison = useComparison(before.content, after.content);
  switch (comparison?.kind) {
    case undefined:
      return <TextSkeleton />;
    case 'same':
      return (
        <Notice
          heading="h3"
          icon={Equal}
          title={t('documents.same', { from: before.version, to: after.version })}
        />
      );
    case 'tooLarge': {
      const words = `docs diff ${after.document_id} --from ${before.version} --to ${after.version}`;
      return (
        <Notice heading="h3" icon={Scissors} title={t('documents.tooLarge')}>
          <p className="text-sm text-muted-foreground">{t('documents.tooLarge.text')}</p>
          <div className="flex flex-wrap justify-center gap-2">
            <Button size="sm" onClick={() => void copy(commandLine(location.origin, words))}>
              {t('documents.copy.command')}
            </Button>
            {[before, after].map((version) => (
              <Button size="sm" key={version.version} onClick={() => download(version)}>
                {t('documents.download.version', { n: version.version })}
              </Button>
            ))}
          </div>
        </Notice>
      );
    }
    case 'rows':
      return <ChangesTable comparison={comparison} before={before} after={after} />;
  }
}
