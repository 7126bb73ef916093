import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { DocumentVersion, DocumentWithVersion, Issue } from '@/api/types';
import { Changes } from '@/documents/changes/Changes';
import type { AnswersAt } from '@/documents/changes/changedParts';
import { useTrace } from '@/documents/changes/useComparison';
import { AnswersLine } from './AnswersLine';
import { answersOf, referencesTo, stepsBetween } from './answers';
import type { Citing } from './cited';

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
  return <Changes from={from} after={after} form={form} answers={useAnswers(from, after, sources)} />;
}

/** The versions, oldest first; null until all have arrived. */
function allLoaded(results: readonly { data?: DocumentWithVersion | undefined }[]) {
  const versions = results.flatMap(({ data }) => data?.version ?? []);
  return versions.length < results.length ? null : versions;
}

function useAnswers(before: number, after: DocumentVersion, sources: Sources): AnswersAt {
  const { debateId, args, issues, onJump } = sources;
  const id = after.document_id;
  const references = useMemo(() => referencesTo(id, args, issues), [id, args, issues]);
  const versions = useMemo(() => {
    const steps = stepsBetween(references, before, after.version);
    return steps.length > MAX_STEPS ? [before, ...steps.slice(1 - MAX_STEPS)] : steps;
  }, [references, before, after]);
  // Comparing with a later version has no steps.
  const forward = before < after.version;
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
      const answers = answersOf(part, before, traced, references);
      if (answers.seqs.length + answers.issues.length === 0) return null;
      return <AnswersLine answers={answers} debateId={debateId} onJump={onJump} />;
    };
  }, [traced, before, references, debateId, onJump]);
}
