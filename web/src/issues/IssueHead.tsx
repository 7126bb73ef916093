import {
  Ban,
  CircleCheck,
  CircleDot,
  CircleHelp,
  Clock,
  Gavel,
  type LucideIcon,
  MapPin,
  MessageSquareWarning,
  Repeat2,
  Scale,
  Undo2,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Badge, type Tone } from '@/ui/badge';
import { cn } from '@/ui/cn';
import { Term } from '@/ui/Term';
import { NoteText } from './NoteText';

const STATUSES: Record<string, readonly [LucideIcon, string]> = {
  open: [CircleDot, 'text-foreground'],
  fixed: [Wrench, 'text-proposer'],
  disputed: [MessageSquareWarning, 'text-opponent'],
  resolved: [CircleCheck, 'text-success'],
  withdrawn: [Undo2, 'text-muted-foreground'],
  dismissed: [Ban, 'text-muted-foreground'],
  deferred: [Clock, 'text-muted-foreground'],
};
const MARKS = [
  ['referred', 'arbitrator', Scale],
  ['upheld', 'arbitrator', Gavel],
  ['stalled', 'opponent', Repeat2],
] as const;
const UNKNOWN = [CircleHelp, 'text-muted-foreground'] as const;

interface IssueHeadProps {
  issue: Issue;
  id: ReactNode;
  title: ReactNode;
  tabIndex?: number;
}

/** Which issue it is: severity, status and what else sets it apart, its title and place. */
export function IssueHead({ issue, id, title, tabIndex }: IssueHeadProps) {
  const t = useT();
  const { severity, status, location, reopened } = issue;
  const [Icon, text] = STATUSES[status] ?? UNKNOWN;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {id}
        <SeverityBadge severity={severity} />
        <span className={cn('inline-flex items-center gap-1 text-xs font-semibold whitespace-nowrap', text)}>
          <Icon aria-hidden className="size-3.5" />
          <Term word={t.label('status', status)} means={t.explain(status)} tabIndex={tabIndex} />
        </span>
        {MARKS.filter(([name]) => issue[name]).map(([name, tone, MarkIcon]) => (
          <Badge key={name} tone={tone}>
            <MarkIcon aria-hidden />
            <Term
              word={t(`issues.${name}`, { n: reopened })}
              means={t(`issues.${name}.text`, { n: reopened })}
              tabIndex={tabIndex}
            />
          </Badge>
        ))}
      </div>
      {title}
      {location !== null && (
        <p
          dir="auto"
          className="relative mt-1 flex w-fit items-start gap-1 font-mono text-xs text-muted-foreground"
        >
          <MapPin aria-hidden className="mt-0.5 size-3 shrink-0" />
          <NoteText text={location} tabIndex={tabIndex} />
        </p>
      )}
    </>
  );
}

const TONES: Record<string, Tone> = { critical: 'destructive', high: 'opponent' };

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
