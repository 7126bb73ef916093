import type { ReactNode } from 'react';
import type { Issue } from '@/api/types';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { SeverityBadge } from './IssueHead';

/** Its number, severity and title, which is indented where there is room. */
export function WhichIssue({
  issue: { id, severity, title },
  wide = false,
  children,
}: {
  issue: Issue;
  wide?: boolean;
  /** After its title. */
  children?: ReactNode;
}) {
  return (
    <span className={wide ? 'flex items-baseline gap-1.5' : '*:mr-1'}>
      <IssueLink id={id} className="link rounded font-mono font-semibold">
        {id}
      </IssueLink>{' '}
      <SeverityBadge severity={severity} />{' '}
      <span dir="auto" title={title} className={cn('text-[13px] wrap-anywhere', wide && 'min-w-0 flex-1')}>
        <InlineText text={title} /> {children}
      </span>
    </span>
  );
}
