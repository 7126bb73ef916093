import { useState } from 'react';
import type { Argument, Issue, Plan } from '@/api/types';
import { isJson } from '@/documents/content';
import { useDocumentVersion, useVersions } from '@/documents/queries';
import { useT } from '@/i18n';
import { debatePath, navigate } from '@/lib/router';
import { PlanChanges } from '@/plan/PlanChanges';
import { useVersionAt } from '@/plan/usePlan';
import { Choices } from '@/ui/Choices';
import { InlineText } from '@/ui/InlineText';
import { TextSkeleton } from '@/ui/Skeleton';

interface PlanSinceRulingProps {
  debateId: string;
  plan: Plan;
  ruledAt: string | null;
  args: readonly Argument[];
  /** With their histories. */
  issues: readonly Issue[];
  /** Whether what changed is shown only on demand. */
  folded: boolean;
}

/** What changed in the plan since the last ruling; before the first one, since the debate began. */
export default function PlanSinceRuling({
  debateId,
  plan,
  ruledAt,
  args,
  issues,
  folded,
}: PlanSinceRulingProps) {
  const t = useT();
  const versions = useVersions(plan.document_id);
  const ruled = useVersionAt(versions, ruledAt);
  const { data } = useDocumentVersion(plan.document_id, plan.version);
  const [choice, setChoice] = useState<'ruling' | 'seen'>('ruling');
  const ruledFrom = ruled ?? plan.first_version;
  // What the opponent saw, where that is neither this version nor what is shown anyway.
  const { version, seen_version: seen } = plan;
  const offered = !plan.seen && seen !== null && seen !== ruledFrom;
  const from = offered && choice === 'seen' ? seen : ruledFrom;
  if (ruled === undefined || data === undefined) return <TextSkeleton />;
  const texts = {
    ruling: t(ruled === null ? 'ruling.plan.draft' : 'ruling.plan.ruling'),
    seen: t('ruling.plan.seen'),
  };
  const since = texts[offered ? choice : 'ruling'];
  if (ruledFrom === version && !offered) {
    return <p className="text-[13px] text-muted-foreground">{t('ruling.plan.same', { since })}</p>;
  }
  const after = data.version;
  return (
    <details open={!folded} className="rounded-xl border">
      <summary className="cursor-pointer rounded-xl px-3.5 py-2 text-[13px] wrap-anywhere">
        <span className="font-medium tabular-nums">
          v{from} → v{version}
        </span>{' '}
        <span className="text-muted-foreground">
          {since}
          {after.summary.trim() !== '' && (
            <>
              {' · '}
              <InlineText text={after.summary} />
            </>
          )}
        </span>
      </summary>
      <div className="border-t">
        {offered && (
          <Choices
            look="pills"
            label={t('ruling.plan')}
            chosen={choice}
            choices={(['ruling', 'seen'] as const).map((since) => [since, texts[since]])}
            className="px-3.5 pt-2"
            onChoose={setChoice}
          />
        )}
        <PlanChanges
          from={from}
          after={after}
          form={isJson(after.content) ? 'raw' : 'rendered'}
          sources={{ debateId, args, issues, onJump: (seq) => navigate(debatePath(debateId, seq)) }}
        />
      </div>
    </details>
  );
}
