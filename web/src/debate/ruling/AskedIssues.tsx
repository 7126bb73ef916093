import { useContext, useRef } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { IssueLinksContext } from '@/ui/IssueLink';
import { HIGH_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import { WhichIssue } from '../OptionTable';
import { showCard } from './showCard';

interface AskedIssuesProps {
  issues: readonly Issue[];
}

/** The titles of the issues of which sides and options give the numbers alone. */
export function AskedIssues({ issues }: AskedIssuesProps) {
  const t = useT();
  const high = useMediaQuery(HIGH_SCREEN);
  const links = useContext(IssueLinksContext);
  const list = useRef<HTMLUListElement>(null);
  // An issue is decided further down on this page.
  const toCards = links && { ...links, show: (id: string) => showCard(list.current, id) || links.show(id) };
  return (
    <IssueLinksContext value={toCards}>
      <ul
        ref={list}
        aria-label={t('ruling.options.about')}
        className={cn('text-xs', high ? 'grid gap-1' : 'grid md:block md:leading-6 md:*:mr-4 md:*:inline')}
      >
        {issues.map((issue) => (
          <li key={issue.id}>
            <WhichIssue issue={issue} wide={high} />
          </li>
        ))}
      </ul>
    </IssueLinksContext>
  );
}
