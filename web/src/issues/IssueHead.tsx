import {
  Ban,
  CircleCheck,
  CircleDot,
  CircleHelp,
  Clock,
  type LucideIcon,
  MapPin,
  MessageSquareWarning,
  Scale,
  Undo2,
  Wrench,
} from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Badge, type Tone } from '@/ui/badge';
import { cn } from '@/ui/cn';
import { Term } from '@/ui/Term';
import { NoteText } from './NoteText';

const STATUSES: Record<string, readonly [LucideIcon, string]> = {
  open: [CircleDot, 'text-foreground'],
  fixed: [Wrench, 'text-proposer'],
  disputed: [MessageSquareWarning, 'text-proposer'],
  resolved: [CircleCheck, 'text-success'],
  withdrawn: [Undo2, 'text-muted-foreground'],
  dismissed: [Ban, 'text-muted-foreground'],
  deferred: [Clock, 'text-muted-foreground'],
};
/** What is told beside the status, in its words. */
const BESIDE_STATUS = ['upheld', 'stalled'] as const;
const UNKNOWN = [CircleHelp, 'text-muted-foreground'] as const;

interface IssueHeadProps {
  issue: Issue;
  id: ReactNode;
  title: ReactNode;
  /** Whether title and place stand in the line of the number, where there is room. */
  inLine?: boolean;
  /** Whether it is said that an appeal refers it, which a heading above may say of all. */
  saysReferred?: boolean;
  tabIndex?: number;
}

/** Which issue it is: severity, status and what else sets it apart, its title and place. */
export function IssueHead(props: IssueHeadProps) {
  const { issue, id, title, inLine = false, saysReferred = true, tabIndex } = props;
  const t = useT();
  const { severity, status, location, reopened, referred } = issue;
  const [Icon, text] = STATUSES[status] ?? UNKNOWN;
  const heading = (
    <>
      {title}
      {location !== null && (
        <p
          dir="auto"
          className={cn(
            'relative flex w-fit items-start gap-1 text-xs text-muted-foreground',
            !inLine && 'mt-1',
          )}
        >
          <MapPin aria-hidden className="mt-0.5 size-3 shrink-0" />
          <NoteText text={location} tabIndex={tabIndex} />
        </p>
      )}
    </>
  );
  return (
    <>
      <div className={cn('flex flex-wrap items-center gap-x-2', inLine ? 'gap-y-0.5' : 'gap-y-1')}>
        {id}
        <SeverityBadge severity={severity} />
        <span className={cn('inline-flex flex-wrap items-center gap-1 text-xs font-semibold', text)}>
          <Icon aria-hidden className="size-3.5" />
          <Term word={t.label('status', status)} means={t.explain(status)} tabIndex={tabIndex} />
          {BESIDE_STATUS.filter((name) => issue[name]).map((name) => (
            <Fragment key={name}>
              {' · '}
              <Term
                word={t(`issues.${name}`, { n: reopened })}
                means={t(`issues.${name}.text`, { n: reopened })}
                tabIndex={tabIndex}
              />
            </Fragment>
          ))}
        </span>
        {referred && saysReferred && (
          <Badge tone="arbitrator">
            <Scale aria-hidden />
            <Term word={t('issues.referred')} means={t('issues.referred.text')} tabIndex={tabIndex} />
          </Badge>
        )}
        {inLine && heading}
      </div>
      {!inLine && heading}
    </>
  );
}

const TONES: Record<string, Tone> = { critical: 'destructive', high: 'warning' };

export function SeverityBadge({ severity }: { severity: string }) {
  const t = useT();
  return (
    <Badge
      tone={TONES[severity] ?? 'quiet'}
      className={cn(severity === 'critical' && 'bg-destructive-strong! text-primary-foreground!')}
    >
      {t.label('severity', severity)}
    </Badge>
  );
}
