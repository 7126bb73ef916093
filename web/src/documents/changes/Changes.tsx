import { Equal, Scissors, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { api } from '@/api/client';
import type { DocumentHead, DocumentVersion, DocumentVersionEntry } from '@/api/types';
import { useLoaded } from '@/api/useLoaded';
import { useT } from '@/i18n';
import { commandLine } from '@/shell/commands';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useCopy } from '@/ui/useCopy';
import { download } from '../download';
import { type DocumentPlace, turn } from '../place';
import { TextSkeleton } from '../TextSkeleton';
import { ChangesTable } from './ChangesTable';
import { useComparison } from './useComparison';
import { VersionChoice } from './VersionChoice';

interface ChangesProps {
  place: DocumentPlace;
  head: DocumentHead;
  shown: DocumentVersion;
  /** As far as they are known: what the choices are called. */
  versions: readonly DocumentVersionEntry[];
}

/** What changed from one version to another. */
export function Changes({ place, head, shown, versions }: ChangesProps) {
  const t = useT();
  const { id } = place;
  const from = place.from ?? Math.max(1, shown.version - 1);
  const load = useCallback((signal: AbortSignal) => api.document(id, from, signal), [id, from]);
  const [loaded, reload] = useLoaded(load);
  if (head.latest_version === 1) return <Notice heading="h3" icon={Equal} title={t('documents.single')} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-3 py-3 text-sm sm:px-5">
        <VersionChoice
          label={t('documents.compare.from')}
          chosen={from}
          latest={head.latest_version}
          versions={versions}
          onChoose={(chosen) => turn({ ...place, version: shown.version, view: 'changes', from: chosen })}
        />
        <span aria-hidden className="text-muted">
          →
        </span>
        <VersionChoice
          label={t('documents.compare.to')}
          chosen={shown.version}
          latest={head.latest_version}
          versions={versions}
          onChoose={(chosen) => turn({ ...place, version: chosen, view: 'changes', from })}
        />
      </div>
      {loaded.name === 'loading' && <TextSkeleton />}
      {loaded.name === 'failed' && (
        <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')}>
          <p className="text-sm text-muted">{t.failure(loaded.failure)}</p>
          <Button onClick={reload}>{t('failed.retry')}</Button>
        </Notice>
      )}
      {loaded.name === 'ready' && <Compared before={loaded.value.version} after={shown} />}
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
    case 'tooMuch': {
      const words = `docs diff ${after.document_id} --from ${before.version} --to ${after.version}`;
      return (
        <Notice heading="h3" icon={Scissors} title={t('documents.tooMuch')}>
          <p className="text-sm text-muted">{t('documents.tooMuch.text')}</p>
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
