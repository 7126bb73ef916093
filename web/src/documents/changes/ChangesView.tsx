import { Equal } from 'lucide-react';
import type { DocumentInfo, DocumentVersion, DocumentVersionEntry } from '@/api/types';
import { useT } from '@/i18n';
import { type DocumentRoute, replaceDocuments } from '@/lib/documentRoute';
import { Notice } from '@/ui/notice';
import { useMediaQuery } from '@/ui/useMediaQuery';
import { Changes } from './Changes';
import { VersionSelect } from './VersionSelect';

const WIDE = '(min-width: 64rem)';

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
  const wide = useMediaQuery(WIDE);
  const from = route.from ?? Math.max(1, shown.version - 1);
  if (info.latest_version === 1) return <Notice heading="h3" icon={Equal} title={t('documents.single')} />;
  const choose = (chosen: Partial<DocumentRoute>) =>
    replaceDocuments({ ...route, version: shown.version, view: 'changes', from, ...chosen });
  const known = { latest: info.latest_version, versions };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-3 py-3 text-sm sm:px-5">
        <VersionSelect
          label={t('documents.compare.from')}
          chosen={from}
          {...known}
          onChoose={(version) => choose({ from: version })}
        />
        <span aria-hidden className="text-muted-foreground">
          →
        </span>
        <VersionSelect
          label={t('documents.compare.to')}
          chosen={shown.version}
          {...known}
          onChoose={(version) => choose({ version })}
        />
      </div>
      <Changes from={from} after={shown} form="raw" split={wide} />
    </>
  );
}
