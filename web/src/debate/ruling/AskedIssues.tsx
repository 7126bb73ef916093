import { useContext, useRef } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { IssueLinksContext } from '@/ui/IssueLink';
import { ROOMY_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import { WhichIssue } from '../OptionTable';
import { showCard } from './showCard';

interface AskedIssuesProps {
  issues: readonly Issue[];
}

/** The titles of the issues of which sides and options give the numbers alone. */
export function AskedIssues({ issues }: AskedIssuesProps) {
  const t = useT();
  const roomy = useMediaQuery(ROOMY_SCREEN);
  const links = useContext(IssueLinksContext);
  const list = useRef<HTMLUListElement>(null);
  // An issue is decided further down on this page.
  const toCards = links && { ...links, show: (id: string) => showCard(list.current, id) || links.show(id) };
  return (
    <IssueLinksContext value={toCards}>
      <ul ref={list} aria-label={t('ruling.options.about')} className="grid grid-cols-1 gap-y-0.5 text-xs">
        {issues.map((issue) => (
          <li key={issue.id}>
            <WhichIssue issue={issue} wide={roomy} short={!roomy && issues.length > 2} />
          </li>
        ))}
      </ul>
    </IssueLinksContext>
  );
}
