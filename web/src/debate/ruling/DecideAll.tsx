import { MAX_ISSUE_NOTE } from '@/api/limits';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Select, TextField } from '@/ui/fields';
import type { DecisionModel } from './decisionModel';
import type { Draft } from './draft';
import { choicesOf, type IssueDecisions, needs, reasonIn, withDecision, withSame } from './issueDecisions';

interface DecideAllProps {
  model: DecisionModel;
  issues: readonly Issue[];
}

/** What all of these issues have in common; empty if they have nothing in common, or no decision. */
function commonIn({ decisions }: Draft, issues: readonly Issue[], part: 'change' | 'note'): string {
  const [first = '', ...others] = new Set(issues.map(({ id }) => decisions[id]?.[part] ?? ''));
  return others.length > 0 ? '' : first;
}

/** Decides several issues at once. */
export function DecideAll({ model, issues }: DecideAllProps) {
  const t = useT();
  const { stored, rules } = model;
  const change = useSelected(stored, (draft) => commonIn(draft, issues, 'change'));
  const note = useSelected(stored, (draft) => commonIn(draft, issues, 'note'));
  const unexplained = useSelected(stored, ({ decisions }) =>
    issues.every(({ id }) => !decisions[id]?.note?.trim()),
  );
  const byWords = useSelected(stored, ({ text }) => reasonIn(text) !== '');
  if (issues.length < 2) return null;
  const offered = [...new Set(issues.flatMap((issue) => choicesOf(issue)))].filter(
    (each) => !needs('severity', each, rules),
  );

  function decide(next: string, why?: string) {
    const now = model.draft();
    const option = model.request.argument.options?.[now.choice ?? -1];
    const same = { change: next, ...(why !== undefined && { note: why }) };
    if (next !== '') model.change(withSame(now, issues, same, option));
    else model.change(issues.reduce<IssueDecisions>((all, { id }) => withDecision(all, id, null), now));
  }

  return (
    <>
      <Select
        label={t('ruling.issues.together', { n: issues.length })}
        value={offered.includes(change) ? change : ''}
        choices={[
          ['', t('ruling.issues.together', { n: issues.length })],
          ...offered.map((each) => {
            const what = t.label('decide', each);
            return [
              each,
              each === change ? t('ruling.issues.together.chosen', { n: issues.length, what }) : what,
            ] as const;
          }),
        ]}
        onChoose={(next) => decide(next)}
        className="h-8 px-2"
      />
      {offered.includes(change) && needs('note', change, rules) && (
        <TextField
          label={t(byWords ? 'ruling.issues.why.words' : 'ruling.issues.together.why')}
          // One reason for all is asked for before one for each.
          needed={unexplained && !byWords ? t('ruling.issues.why.missing') : null}
          maxLength={MAX_ISSUE_NOTE}
          value={note}
          className="basis-full"
          onChange={(why) => decide(change, why)}
        />
      )}
    </>
  );
}
