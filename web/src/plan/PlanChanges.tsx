import { useQueries } from '@tanstack/react-query';
import { CornerDownRight } from 'lucide-react';
import { useMemo } from 'react';
import type { Argument, DocumentVersion, DocumentWithVersion, Issue } from '@/api/types';
import { Changes } from '@/documents/changes/Changes';
import type { AnswersAt } from '@/documents/changes/changedParts';
import { useTrace } from '@/documents/changes/useComparison';
import { versionQuery } from '@/documents/queries';
import { useT } from '@/i18n';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { IssueLink } from '@/ui/IssueLink';
import { type Answers, answersOf, referencesTo, stepsBetween } from './answers';

/** More versions between the two are not told apart. */
const MAX_STEPS = 12;

interface Sources {
  debateId: string;
  args: readonly Argument[];
  /** With their histories. */
  issues: readonly Issue[];
  onJump: (seq: number) => void;
}

interface PlanChangesProps {
  from: number;
  after: DocumentVersion;
  form: 'rendered' | 'raw';
  sources: Sources;
  /** Whether what did not change is shown, too, where the text is short. */
  around?: boolean;
  onRaw?: () => void;
}

/** What changed from one version to another; at each part, the argument and the issues that it answers. */
export default function PlanChanges({ sources, ...shown }: PlanChangesProps) {
  return <Changes {...shown} answers={useAnswers(shown.from, shown.after, sources)} />;
}

/** The versions, oldest first; null until all have arrived. */
function allLoaded(results: readonly { data?: DocumentWithVersion | undefined }[]) {
  const versions = results.flatMap(({ data }) => data?.version ?? []);
  return versions.length < results.length ? null : versions;
}

/** Undefined until it is known, and where it is not. */
function useAnswers(before: number, after: DocumentVersion, sources: Sources): AnswersAt | undefined {
  const { args, issues } = sources;
  const id = after.document_id;
  const references = useMemo(() => referencesTo(id, args, issues), [id, args, issues]);
  const versions = useMemo(() => {
    const steps = stepsBetween(references, before, after.version);
    return steps.length > MAX_STEPS ? [before, ...steps.slice(1 - MAX_STEPS)] : steps;
  }, [references, before, after]);
  // Comparing with a later version has no steps.
  const forward = before < after.version;
  const contents = useQueries({
    queries: (forward ? versions : []).map((version) => versionQuery(id, version)),
    combine: allLoaded,
  });
  const request = useMemo(() => (contents?.length ? { steps: contents } : null), [contents]);
  const traced = useTrace(request);
  return useMemo(() => {
    if (traced === null) return undefined;
    return (part: Parameters<AnswersAt>[0]) => {
      const answers = answersOf(part, before, traced, references);
      if (answers.seqs.length + answers.issues.length === 0) return null;
      return <AnswersLine answers={answers} sources={sources} />;
    };
  }, [traced, before, references, sources]);
}

/** A part that answers more issues than these names them only in the tooltip. */
const MAX_ISSUES = 5;
/** As large as a finger needs. */
const LINK = 'link inline-block min-w-6 rounded py-1 text-center font-semibold text-foreground! tabular-nums';

/** Which argument made a change, and which issues it answers. */
function AnswersLine({ answers, sources }: { answers: Answers; sources: Sources }) {
  const t = useT();
  const { seqs, issues } = answers;
  const { debateId, onJump } = sources;
  const more = issues.slice(MAX_ISSUES);
  return (
    <p
      data-answers
      className="flex flex-wrap items-center gap-x-1 gap-y-0.5 font-sans text-xs text-muted-foreground"
    >
      <CornerDownRight aria-hidden className="size-3.5" />
      {seqs.length > 0 && <span>{t('plan.changed')}</span>}
      {seqs.map((seq) => (
        <ArgumentLink key={seq} debateId={debateId} seq={seq} onJump={onJump} className={LINK} />
      ))}
      {issues.length > 0 && <span>{t('plan.answers')}</span>}
      {issues.slice(0, MAX_ISSUES).map((id) => (
        <IssueLink key={id} id={id} className={LINK}>
          {id}
        </IssueLink>
      ))}
      {more.length > 0 && <span title={more.join(', ')}>+{more.length}</span>}
    </p>
  );
}
