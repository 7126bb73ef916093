import { type Debate, type Issue, SEVERITIES } from '@/api/types';
import { useT } from '@/i18n';
import { SeverityBadge } from '@/issues/IssueHead';
import { firstOf } from '@/lib/firstOf';
import { Confirm } from '@/ui/Confirm';
import { InlineText } from '@/ui/InlineText';
import { type TextPart, TextParts } from '@/ui/TextParts';
import { unseenPlan } from './rulingRequest';

/** Whether to close what is not agreed, or to leave issues that were referred. */
export type Question = 'close' | 'left';

/** Of those that are listed. */
const MOST_ISSUES = 8;

interface QuestionBeforeSendingProps {
  /** Null while nothing is asked. */
  question: Question | null;
  debate: Debate;
  /** Those that are left, or that would not be settled; null where that is not told. */
  issues: readonly Issue[] | null;
  /** What the ruling says, in short. */
  said: readonly TextPart[];
  onClose: () => void;
  onConfirm: () => void;
}

/** The worst first, since the others may be left out. */
function bySeverity(issues: readonly Issue[]): readonly Issue[] {
  return SEVERITIES.flatMap((severity) => issues.filter((issue) => issue.severity === severity));
}

/** Asks once more before a ruling closes a debate that is not agreed, or leaves issues that the appeal refers, by name. */
export function QuestionBeforeSending(props: QuestionBeforeSendingProps) {
  const { question, debate, said, onClose, onConfirm } = props;
  const issues = bySeverity(props.issues ?? []);
  const t = useT();
  const closes = question === 'close';
  const unseen = unseenPlan(debate);
  const named = firstOf(issues, MOST_ISSUES);
  const more = issues.length - named.length;
  const blocking = issues.filter((issue) => issue.blocking).length;
  const count = t('issues.unsettled', { n: issues.length });
  return (
    <Confirm
      open={question !== null}
      onClose={onClose}
      title={t(closes ? 'ruling.close.title' : 'ruling.left.title', { n: issues.length })}
      description={closes ? t('ruling.close.text') : t('ruling.left.text', { n: issues.length })}
      confirm={t(closes ? 'ruling.close.yes' : 'ruling.left.yes')}
      danger={closes}
      onConfirm={onConfirm}
    >
      {closes && unseen !== null && <p>{t('ruling.unseen', { n: unseen.version })}</p>}
      {closes && said.length > 0 && (
        <p>
          {t('ruling.summary')} <TextParts parts={said} />
        </p>
      )}
      {props.issues === null && <p>{t('ruling.close.untold')}</p>}
      {issues.length > 0 && (
        <div>
          {closes && (
            <p className="font-medium">
              {blocking > 0 && issues.length > 1
                ? t('ruling.close.blocking', { what: count, n: blocking })
                : count}
              :
            </p>
          )}
          <ul className="mt-1 grid gap-1">
            {named.map(({ id, title, severity, status }) => (
              <li key={id} dir="auto" className="wrap-anywhere">
                <span className="font-mono text-xs font-semibold">{id}</span>{' '}
                <SeverityBadge severity={severity} /> <InlineText text={title} />{' '}
                <span className="text-muted-foreground">({t.label('status', status)})</span>
              </li>
            ))}
            {more > 0 && <li className="text-muted-foreground">{t('ruling.left.more', { n: more })}</li>}
          </ul>
        </div>
      )}
    </Confirm>
  );
}
