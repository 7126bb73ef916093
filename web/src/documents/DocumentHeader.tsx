import { ChevronLeft, ChevronRight, Download, Files, Trash2, X } from 'lucide-react';
import type { DocumentInfo, DocumentVersion } from '@/api/types';
import { useT } from '@/i18n';
import {
  closeDocuments,
  DOCUMENT_VIEWS,
  type DocumentRoute,
  type DocumentViewName,
  openDocuments,
} from '@/lib/documentRoute';
import { Badge } from '@/ui/badge';
import { Button, IconButton } from '@/ui/button';
import { sizeLabel } from '@/ui/byteSize';
import { Choices } from '@/ui/Choices';
import { DrawerTitle } from '@/ui/drawer';
import { InlineText } from '@/ui/InlineText';
import { Time } from '@/ui/Time';
import { download } from './content';

interface DocumentHeaderProps {
  route: DocumentRoute;
  /** Null until it is loaded. */
  info: DocumentInfo | null;
  /** Null until the version is loaded. */
  shown: DocumentVersion | null;
  view: DocumentViewName;
  onView: (view: DocumentViewName) => void;
  onStep: (by: number) => void;
  onNewest: () => void;
}

export function DocumentHeader(props: DocumentHeaderProps) {
  const { route, info, shown, view, onView, onStep, onNewest } = props;
  const t = useT();
  const hasNewer =
    info !== null && shown !== null && route.version === null && info.latest_version > shown.version;
  return (
    <header className="border-b bg-card px-3 pt-2.5 pb-2 sm:px-5">
      <div className="flex items-start gap-2">
        <DrawerTitle
          dir="auto"
          title={info?.title}
          className="line-clamp-2 min-w-0 flex-1 py-1.5 text-[17px] leading-snug font-semibold tracking-tight [unicode-bidi:isolate] wrap-anywhere"
        >
          <InlineText
            text={info?.title.trim() || t(info === null ? 'documents.one' : 'documents.untitled')}
          />
        </DrawerTitle>
        <IconButton icon={Files} label={t('documents.all')} onClick={() => openDocuments({ kind: 'list' })} />
        <IconButton icon={X} label={t('dialog.close')} onClick={closeDocuments} />
      </div>
      {info !== null && shown !== null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
          <span className="flex items-center gap-0.5">
            <IconButton
              size="tiny"
              icon={ChevronLeft}
              label={t('documents.previous')}
              disabled={shown.version <= 1}
              onClick={() => onStep(-1)}
            />
            <span className="font-medium text-foreground tabular-nums">
              {t('documents.version', { n: shown.version, latest: info.latest_version })}
            </span>
            <IconButton
              size="tiny"
              icon={ChevronRight}
              label={t('documents.next')}
              disabled={shown.version >= info.latest_version}
              onClick={() => onStep(1)}
            />
          </span>
          <VersionFacts info={info} shown={shown} />
          <IconButton
            size="tiny"
            icon={Download}
            label={t('documents.download')}
            className="ml-auto"
            onClick={() => download(shown)}
          />
        </div>
      )}
      {hasNewer && (
        <p
          role="status"
          className="mt-2 flex items-center gap-3 rounded-lg bg-arbitrator-soft px-3 py-1.5 text-sm"
        >
          {t('documents.newer', { n: info.latest_version })}
          <Button size="sm" onClick={onNewest}>
            {t('documents.newest', { n: info.latest_version })}
          </Button>
        </p>
      )}
      {shown !== null && (
        <div className="mt-2 max-w-full overflow-x-auto">
          <Choices
            label={t('documents.views')}
            chosen={view}
            choices={DOCUMENT_VIEWS.map((name) => [name, t(`documents.view.${name}`)] as const)}
            onChoose={onView}
          />
        </div>
      )}
    </header>
  );
}

/** What there is to know about a version besides its text. */
export function VersionFacts({ info, shown }: { info: DocumentInfo; shown: DocumentVersion }) {
  const t = useT();
  return (
    <>
      <span dir="auto" title={shown.summary} className="max-w-72 min-w-0 truncate">
        {shown.summary.trim() === '' ? (
          t('documents.untitled')
        ) : (
          <>
            “<InlineText text={shown.summary.trim()} />”
          </>
        )}
      </span>
      <span className="flex gap-x-2">
        <span aria-hidden>·</span>
        <Time at={shown.created_at} />
      </span>
      <span className="flex gap-x-2 tabular-nums">
        <span aria-hidden>·</span>
        {sizeLabel(shown.content)}
      </span>
      {info.deleted_at !== null && (
        <Badge title={t('documents.deleted.text', { time: t.dateTime(info.deleted_at) })}>
          <Trash2 aria-hidden />
          {t('documents.deleted')}
        </Badge>
      )}
    </>
  );
}
