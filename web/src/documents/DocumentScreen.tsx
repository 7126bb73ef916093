import { useMemo, useRef } from 'react';
import { useT } from '@/i18n';
import { type DocumentRoute, type DocumentViewName, replaceDocuments } from '@/lib/documentRoute';
import { useShortcuts } from '@/lib/useShortcuts';
import { ChangesView } from './changes/ChangesView';
import { isJson } from './content';
import { DocumentError } from './DocumentError';
import { DocumentHeader } from './DocumentHeader';
import { useDocumentVersion, useVersions } from './queries';
import { RawText } from './RawText';
import { RenderedText } from './RenderedText';
import { ScrollRegion } from './ScrollRegion';
import { TextSkeleton } from './TextSkeleton';
import { VersionList } from './VersionList';

/** One document: a version rendered or raw, its list of versions, or the changes between two versions. */
export function DocumentScreen({ route }: { route: DocumentRoute }) {
  const t = useT();
  const { id } = route;
  const versions = useVersions(id);
  const query = useDocumentVersion(id, route.version);
  const shown = query.data?.version ?? null;
  const info = versions.firstPage?.document ?? query.data?.document ?? null;
  const json = useMemo(() => shown !== null && isJson(shown.content), [shown]);
  const view = route.view ?? (json ? 'raw' : 'rendered');

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
      // The list of versions tells whether the document or only the version is missing.
      if (versions.isFetching && info === null) return <TextSkeleton />;
      const retry = () => void query.refetch();
      return (
        <DocumentError
          failure={query.error.failure}
          route={route}
          info={info}
          onRetry={retry}
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
      case 'changes':
        return <ChangesView route={route} info={info} shown={shown} versions={versions.items} />;
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
