import { Equal } from 'lucide-react';
import { useRef } from 'react';
import { useT } from '@/i18n';
import { type DocumentRoute, type DocumentViewName, replaceDocuments } from '@/lib/documentRoute';
import { useShortcuts } from '@/lib/useShortcuts';
import { Notice } from '@/ui/notice';
import { TextSkeleton } from '@/ui/Skeleton';
import { Changes } from './changes/Changes';
import { VersionChoice } from './changes/VersionChoice';
import { DocumentError } from './DocumentError';
import { DocumentHeader } from './DocumentHeader';
import { useDocument } from './queries';
import { RawText } from './RawText';
import { RenderedText } from './RenderedText';
import { ScrollRegion } from './ScrollRegion';
import { VersionList } from './VersionList';

/** One document: a version rendered or raw, its list of versions, or the changes between two versions. */
export function DocumentScreen({ route }: { route: DocumentRoute }) {
  const t = useT();
  const document = useDocument(route.id, route.version);
  const { versions, query, shown, info } = document;
  const view = route.view ?? document.usualForm;

  const show = (next: DocumentViewName) => replaceDocuments({ ...route, view: next });
  // The header keeps its buttons while another version is loading, so that they can be pressed again.
  const lastShown = useRef(shown);
  if (!query.isPending) lastShown.current = shown;
  const step = (by: number) => {
    const from = route.version ?? shown?.version;
    const to = (from ?? 0) + by;
    if (info !== null && from !== undefined && to >= 1 && to <= info.latest_version)
      replaceDocuments({ ...route, version: to });
  };
  useShortcuts(
    {
      p: () => step(-1),
      n: () => step(1),
      v: () => show(view === 'rendered' ? 'raw' : 'rendered'),
      h: () => show('versions'),
      d: () => show('changes'),
    },
    'dialog',
  );

  function body() {
    if (query.isError && shown === null) {
      return (
        <DocumentError
          document={document}
          version={route.version}
          onVersion={(version) => replaceDocuments({ ...route, version })}
        />
      );
    }
    if (shown === null || info === null) return <TextSkeleton />;
    switch (view) {
      case 'rendered':
        return <RenderedText key={shown.version} version={shown} onRaw={() => show('raw')} />;
      case 'raw':
        return <RawText key={shown.version} content={shown.content} />;
      case 'versions':
        return <VersionList route={route} shown={shown.version} versions={versions} />;
      case 'changes': {
        if (info.latest_version === 1)
          return <Notice heading="h3" icon={Equal} title={t('documents.single')} />;
        const from = route.from ?? Math.max(1, shown.version - 1);
        const choose = (chosen: Partial<DocumentRoute>) =>
          replaceDocuments({ ...route, version: shown.version, view, from, ...chosen });
        return (
          <>
            <div className="flex px-3 py-3 sm:px-5">
              <VersionChoice
                from={from}
                shown={shown.version}
                latest={info.latest_version}
                versions={versions.items}
                onFrom={(version) => choose({ from: version })}
                onShown={(version) => choose({ version })}
              />
            </div>
            <Changes from={from} after={shown} form="raw" onRaw={() => show('raw')} />
          </>
        );
      }
    }
  }

  return (
    <>
      <DocumentHeader
        route={route}
        info={info}
        shown={shown ?? lastShown.current}
        view={view}
        onView={show}
        onStep={step}
        onNewest={() => void query.refetch()}
      />
      <ScrollRegion
        label={t(`documents.view.${view}`)}
        contentKey={`${shown?.version ?? ''} ${view}`}
        busy={query.isPending}
      >
        {body()}
      </ScrollRegion>
    </>
  );
}
