import { CornerDownRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { IssueLink } from '@/ui/IssueLink';
import { Link } from '@/ui/Link';
import type { Answers } from './answers';

/** A part that answers more issues than these names them only in the tooltip. */
const MAX_ISSUES = 5;
/** As large as a finger needs. */
const LINK =
  'inline-block min-w-6 rounded py-1 text-center font-semibold text-foreground underline decoration-dotted underline-offset-3 tabular-nums hover:decoration-solid';

interface AnswersLineProps {
  answers: Answers;
  debateId: string;
  onJump: (seq: number) => void;
}

/** Which argument made a change, and which issues it answers. */
export function AnswersLine({ answers: { seqs, issues }, debateId, onJump }: AnswersLineProps) {
  const t = useT();
  const links: ReactNode[] = [
    ...seqs.map((seq) => (
      <Link
        key={seq}
        href={debatePath(debateId, seq)}
        onNavigate={() => onJump(seq)}
        aria-label={t('argument.jump', { seq })}
        className={LINK}
      >
        #{seq}
      </Link>
    )),
    ...issues.slice(0, MAX_ISSUES).map((id) => (
      <IssueLink key={id} id={id} className={LINK}>
        {id}
      </IssueLink>
    )),
  ];
  const more = issues.slice(MAX_ISSUES);
  return (
    <p
      data-answers
      className="flex flex-wrap items-center gap-x-1 gap-y-0.5 font-sans text-xs text-muted-foreground"
    >
      <CornerDownRight aria-hidden className="size-3.5" />
      <span>{t('plan.answers')}</span>
      {links}
      {more.length > 0 && <span title={more.join(', ')}>+{more.length}</span>}
    </p>
  );
}
