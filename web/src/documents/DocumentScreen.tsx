import { useCallback, useMemo, useRef } from 'react';
import { api } from '@/api/client';
import { useLoaded } from '@/api/useLoaded';
import { useT } from '@/i18n';
import { useShortcuts } from '@/shell/shortcuts';
import { Changes } from './changes/Changes';
import { DocumentFailure } from './DocumentFailure';
import { DocumentHeader } from './DocumentHeader';
import { type DocumentPlace, turn, type ViewName } from './place';
import { RawText } from './RawText';
import { Region } from './Region';
import { RenderedText } from './RenderedText';
import { TextSkeleton } from './TextSkeleton';
import { isData } from './text';
import { useVersions } from './useVersions';
import { VersionList } from './VersionList';

/** One document: a version of it rendered or raw, all its versions, what changed between two. */
export function DocumentScreen({ place }: { place: DocumentPlace }) {
  const t = useT();
  const { id } = place;
  const versions = useVersions(id);
  const load = useCallback(
    (signal: AbortSignal) => api.document(id, place.version, signal),
    [id, place.version],
  );
  const [loaded, reload] = useLoaded(load);
  const answer = loaded.name === 'ready' ? loaded.value : null;
  const shown = answer?.version ?? null;
  const head = versions.first?.document ?? answer?.document ?? null;
  const asWritten = useMemo(() => shown !== null && isData(shown.content), [shown]);
  const view = place.view ?? (asWritten ? 'raw' : 'rendered');

  const show = (next: ViewName) => turn({ ...place, view: next });
  // While another version comes, the buttons stay where they are: whoever presses one may press it again.
  const last = useRef(shown);
  if (loaded.name !== 'loading') last.current = shown;
  const step = (by: number) => {
    const from = place.version ?? shown?.version;
    const to = (from ?? 0) + by;
    if (head !== null && from !== undefined && to >= 1 && to <= head.latest_version)
      turn({ ...place, version: to });
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
    if (loaded.name === 'failed') {
      // Whether it is the document or the version that is missing, the list of versions tells.
      if (versions.loading && head === null) return <TextSkeleton />;
      return <DocumentFailure failure={loaded.failure} place={place} head={head} onRetry={reload} />;
    }
    if (shown === null || head === null) return <TextSkeleton />;
    switch (view) {
      case 'rendered':
        return <RenderedText key={shown.version} version={shown} onRaw={() => show('raw')} />;
      case 'raw':
        return <RawText key={shown.version} content={shown.content} />;
      case 'versions':
        return <VersionList place={place} shown={shown.version} versions={versions} />;
      case 'changes':
        return <Changes place={place} head={head} shown={shown} versions={versions.items} />;
    }
  }

  return (
    <>
      <DocumentHeader
        place={place}
        head={head}
        shown={shown ?? last.current}
        view={view}
        onView={show}
        onStep={step}
        onNewest={reload}
      />
      <Region
        label={t(`documents.view.${view}`)}
        scope={`${shown?.version ?? ''} ${view}`}
        busy={loaded.name === 'loading'}
      >
        {body()}
      </Region>
    </>
  );
}
