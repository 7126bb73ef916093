import type { ReactNode } from 'react';
import type { Issue, RulingChange } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import type { DecisionModel } from './ruling/decisionModel';
import { type Decision, decidedAs, decisionsOf, withDecision, withOffer } from './ruling/issueDecisions';

interface OptionCellProps {
  issue: Issue;
  /** The index of the option. */
  index: number;
  change: RulingChange | null;
  /** Whether the ruling decides otherwise. */
  departs: boolean;
  model: DecisionModel | undefined;
}

/** What an option makes of an issue, in the word of the choice that does the same. */
export function OptionCell({ issue, index, change, departs, model }: OptionCellProps) {
  const t = useT();
  if (change === null) {
    return <span className="font-normal text-muted-foreground">{t('ruling.options.undecided')}</span>;
  }
  const grade = change.severity && ` → ${t.label('severity', change.severity)}`;
  const said = `${t.label('decide', change.change)}${grade ?? ''}`;
  const shown = departs ? <del title={t('ruling.departed')}>{said}</del> : said;
  const offer = decisionsOf(model?.request.argument.options?.[index], [issue])[issue.id];
  if (model === undefined || offer === undefined) return shown;
  const name = `${issue.id}: ${said} (${index + 1})`;
  return (
    <DecideSo model={model} issue={issue} index={index} offer={offer} name={name}>
      {shown}
    </DecideSo>
  );
}

interface DecideSoProps {
  model: DecisionModel;
  issue: Issue;
  index: number;
  offer: Decision;
  name: string;
  children: ReactNode;
}

/** Decides an issue as an option does; pressed where the ruling decides it as this one. */
function DecideSo({ model, issue, index, offer, name, children }: DecideSoProps) {
  const { stored, request } = model;
  const { id } = issue;
  const { options = [] } = request.argument;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  const choice = useSelected(stored, () => model.draft().choice);
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={decision !== null && decidedAs(decision, issue, options).includes(index)}
      className="min-h-6 w-full rounded-md border border-input px-1 text-start wrap-anywhere hyphens-auto hover:bg-accent aria-pressed:border-arbitrator aria-pressed:bg-arbitrator-soft aria-pressed:text-arbitrator max-sm:min-h-11"
      onClick={() =>
        model.change(
          withDecision(stored.get(), id, withOffer(decision, offer, id, options, index === choice)),
        )
      }
    >
      {children}
    </button>
  );
}
