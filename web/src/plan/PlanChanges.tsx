import { useQueries } from '@tanstack/react-query';
import { Equal, Scissors, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { api } from '@/api/client';
import type { DocumentVersion, DocumentWithVersion, Issue } from '@/api/types';
import { TextSkeleton } from '@/documents/TextSkeleton';
import { useDocumentVersion } from '@/documents/useDocumentVersion';
import { useT } from '@/i18n';
import { useFirstView } from '@/lib/firstView';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { AnswersLine } from './AnswersLine';
import { answersOf, type ChangedPart, referencesTo, stepsBetween } from './answers';
import type { Citing } from './cited';
import { PlanBlockChanges } from './PlanBlockChanges';
import { PlanRowChanges } from './PlanRowChanges';
import { usePlanComparison, useTrace } from './usePlanWorker';

/** More versions between the two are not told apart. */
const MAX_STEPS = 12;

export interface Sources {
  debateId: string;
  args: readonly Citing[];
  /** With their histories. */
  issues: readonly Issue[];
  onJump: (seq: number) => void;
}

interface PlanChangesProps {
  from: number;
  after: DocumentVersion;
  form: 'rendered' | 'raw';
  sources: Sources;
}

/** What changed from one version to another; at each part, the argument and the issues that it answers. */
export function PlanChanges({ from, after, form, sources }: PlanChangesProps) {
  const t = useT();
  const query = useDocumentVersion(after.document_id, from);
  if (query.isError) {
    return (
      <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')}>
        <p className="text-sm text-muted-foreground">{t.failure(query.error.failure)}</p>
        <Button onClick={() => void query.refetch()}>{t('failed.retry')}</Button>
      </Notice>
    );
  }
  if (!query.isSuccess) return <TextSkeleton />;
  return <Compared before={query.data.version} after={after} form={form} sources={sources} />;
}

interface ComparedProps {
  before: DocumentVersion;
  after: DocumentVersion;
  form: 'rendered' | 'raw';
  sources: Sources;
}

function Compared({ before, after, form, sources }: ComparedProps): ReactNode {
  const t = useT();
  const request = useMemo(
    () => ({ before: before.content, after: after.content, form }),
    [before, after, form],
  );
  const comparison = usePlanComparison(request);
  const answers = useAnswers(before, after, sources);
  useFirstView(comparison !== null && comparison !== undefined);
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
    case 'tooLarge':
      return (
        <Notice heading="h3" icon={Scissors} title={t('documents.tooLarge')}>
          <p className="text-sm text-muted-foreground">{t('documents.tooLarge.text')}</p>
        </Notice>
      );
    case 'rows':
      return <PlanRowChanges comparison={comparison} before={before} after={after} answers={answers} />;
    case 'blocks':
      return <PlanBlockChanges changes={comparison.changes} answers={answers} />;
  }
}

/** The versions, oldest first; null until all have arrived. */
function allLoaded(results: readonly { data?: DocumentWithVersion | undefined }[]) {
  const versions = results.flatMap(({ data }) => data?.version ?? []);
  return versions.length < results.length ? null : versions;
}

/** What to show at a changed part; null where nothing speaks of it. */
export type AnswersAt = (part: ChangedPart) => ReactNode;

function useAnswers(before: DocumentVersion, after: DocumentVersion, sources: Sources): AnswersAt {
  const { debateId, args, issues, onJump } = sources;
  const id = after.document_id;
  const references = useMemo(() => referencesTo(id, args, issues), [id, args, issues]);
  const versions = useMemo(() => {
    const steps = stepsBetween(references, before.version, after.version);
    return steps.length > MAX_STEPS ? [before.version, ...steps.slice(1 - MAX_STEPS)] : steps;
  }, [references, before, after]);
  // Comparing with a later version has no steps.
  const forward = before.version < after.version;
  const contents = useQueries({
    queries: (forward ? versions : []).map((version) => ({
      queryKey: ['document', id, version],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.document(id, version, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: allLoaded,
  });
  const request = useMemo(
    () =>
      contents === null || contents.length === 0
        ? null
        : { steps: contents.map(({ version, content }) => ({ version, content })) },
    [contents],
  );
  const traced = useTrace(request);
  return useMemo(() => {
    if (traced === null) return () => null;
    return (part) => {
      const answers = answersOf(part, before.version, traced, references);
      if (answers.seqs.length + answers.issues.length === 0) return null;
      return <AnswersLine answers={answers} debateId={debateId} onJump={onJump} />;
    };
  }, [traced, before, references, debateId, onJump]);
}
