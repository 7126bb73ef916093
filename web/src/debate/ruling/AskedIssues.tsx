import { useContext, useRef, useState } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { IssueLinksContext } from '@/ui/IssueLink';
import { HIGH_SCREEN, ROOMY_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import { WhichIssue } from '../OptionTable';
import type { DecisionModel } from './decisionModel';
import { HistoryButton, IssueHistory } from './IssueHistory';
import { LastWords } from './LastWords';
import { lastWords } from './lastWords';
import { showCard } from './showCard';

interface AskedIssuesProps {
  issues: readonly Issue[];
  /** Where what each side said of them stands with them. */
  model?: DecisionModel;
}

/** The issues of which options, and sides whose words stand apart, give the numbers alone. */
export function AskedIssues({ issues, model }: AskedIssuesProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  const list = useRef<HTMLUListElement>(null);
  const roomy = useMediaQuery(ROOMY_SCREEN);
  const high = useMediaQuery(HIGH_SCREEN);
  // An issue is decided further down on this page.
  const toCards = links && { ...links, show: (id: string) => showCard(list.current, id) || links.show(id) };
  const few = issues.length < 3;
  const lines = issues.length === 1 ? 4 : roomy && (few || high) ? 2 : 1;
  return (
    <IssueLinksContext value={toCards}>
      <ul ref={list} aria-label={t('ruling.options.about')} className="grid grid-cols-1 gap-y-1 text-xs">
        {issues.map((issue) => (
          <AskedIssue
            key={issue.id}
            model={model}
            issue={issue}
            roomy={roomy}
            short={!roomy && !few}
            lines={lines}
          />
        ))}
      </ul>
    </IssueLinksContext>
  );
}

interface AskedIssueProps {
  model: DecisionModel | undefined;
  issue: Issue;
  roomy: boolean;
  /** Whether its title has one line. */
  short: boolean;
  /** So many lines of what each side said. */
  lines: number;
}

function AskedIssue({ model, issue, roomy, short, lines }: AskedIssueProps) {
  const [open, setOpen] = useState(false);
  const { id, history = [] } = issue;
  return (
    <li data-asked={id}>
      <div className="flex items-baseline gap-2">
        <WhichIssue issue={issue} wide={roomy} short={short} />
        {model && <HistoryButton issue={issue} open={open} onToggle={() => setOpen(!open)} />}
      </div>
      {model &&
        (open ? (
          <IssueHistory model={model} issue={issue} />
        ) : (
          <LastWords
            debateId={model.debate.id}
            id={id}
            words={lastWords(history)}
            lines={lines}
            onOpen={() => setOpen(true)}
          />
        ))}
    </li>
  );
}
