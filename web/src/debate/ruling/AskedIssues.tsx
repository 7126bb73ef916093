import { useContext, useState } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { WhichIssue } from '@/issues/WhichIssue';
import { cn } from '@/ui/cn';
import { IssueLinksContext } from '@/ui/IssueLink';
import { HIGH_SCREEN, ROOMY_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import type { DecisionModel } from './decisionModel';
import { HistoryButton, IssueHistory } from './IssueHistory';
import { LastWords } from './LastWords';
import { notesBySide } from './lastWords';

/** Of what each side said of all of them, by the room that the screen leaves beside options. */
const LINES = { small: 3, smallFewOptions: 4, roomy: 6, high: 10 } as const;
const MOST_LINES = 5;
/** With the free one. */
const FEW_OPTIONS = 3;

interface AskedIssuesProps {
  issues: readonly Issue[];
  /** Where what each side said of them stands with them. */
  model?: DecisionModel;
  /** Shows where one of them is decided; false if it is not. */
  onShow?: (id: string) => boolean;
}

/** The issues of which options, and sides whose words stand apart, give the numbers alone. */
export function AskedIssues({ issues, model, onShow }: AskedIssuesProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  const roomy = useMediaQuery(ROOMY_SCREEN);
  const high = useMediaQuery(HIGH_SCREEN);
  const toCards = links && { ...links, show: (id: string) => onShow?.(id) || links.show(id) };
  const manyOptions = (model?.request.argument.options?.length ?? 0) > FEW_OPTIONS;
  const room = LINES[high ? 'high' : roomy ? 'roomy' : manyOptions ? 'small' : 'smallFewOptions'];
  const lines = Math.max(1, Math.min(MOST_LINES, Math.floor(room / issues.length)));
  return (
    <IssueLinksContext value={toCards}>
      <ul aria-label={t('ruling.options.about')} className="grid grid-cols-1 gap-y-1 text-xs">
        {issues.map((issue, index) => (
          <AskedIssue
            key={issue.id}
            model={model}
            issue={issue}
            roomy={roomy}
            named={index === 0}
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
  /** Whether the sides are named in words. */
  named: boolean;
  /** So many lines of what each said. */
  lines: number;
}

function AskedIssue({ model, issue, roomy, named, lines }: AskedIssueProps) {
  const [open, setOpen] = useState(false);
  const { id, history = [] } = issue;
  return (
    <li data-asked={id}>
      <div className={cn('flex items-start gap-2 sm:items-center', model && 'font-medium')}>
        <WhichIssue issue={issue} wide={roomy} />
        {model && <HistoryButton issue={issue} noted open={open} onToggle={() => setOpen(!open)} />}
      </div>
      {model && (
        <LastWords
          debateId={model.debate.id}
          id={id}
          words={notesBySide(history)}
          named={named}
          lines={lines}
          whole={open}
          onWhole={setOpen}
        />
      )}
      {model && open && <IssueHistory model={model} issue={issue} noted />}
    </li>
  );
}
