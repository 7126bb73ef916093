import type { ReactNode } from 'react';
import type { Issue, RulingChange } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Select } from '@/ui/fields';
import type { DecisionModel } from './ruling/decisionModel';
import {
  choicesOf,
  type Decision,
  decidedAs,
  decisionsOf,
  LEAVE,
  orderedChoices,
  withChange,
  withDecision,
  withOffer,
} from './ruling/issueDecisions';

interface OptionCellProps {
  issue: Issue;
  /** The index of the option. */
  index: number;
  change: RulingChange | null;
  /** Whether it is that of the chosen option. */
  chosen: boolean;
  /** Whether the ruling decides otherwise. */
  departs: boolean;
  /** Whether a menu has room. */
  roomy: boolean;
  model: DecisionModel | undefined;
}

/** What an option makes of an issue, in the word of the choice that does the same. */
export function OptionCell({ issue, index, change, chosen, departs, roomy, model }: OptionCellProps) {
  const t = useT();
  const grade = change?.severity && ` → ${t.label('severity', change.severity)}`;
  const said = change && `${t.label('decide', change.change)}${grade ?? ''}`;
  const shown = departs ? <del title={t('ruling.departed')}>{said}</del> : said;
  if (model !== undefined && chosen && roomy && choicesOf(issue).length > 0) {
    return (
      <span className="flex h-full flex-col">
        <DecisionMenu model={model} issue={issue} offer={change} said={said} />
        {departs && <span className="px-1 font-normal">{shown}</span>}
      </span>
    );
  }
  if (change === null) {
    return <span className="font-normal text-muted-foreground">{t('ruling.options.undecided')}</span>;
  }
  const offer = decisionsOf(model?.request.argument.options?.[index], [issue])[issue.id];
  if (model === undefined || offer === undefined) return shown;
  const name = `${issue.id}: ${said} (${index + 1})`;
  return (
    <DecideSo model={model} issue={issue} index={index} offer={offer} name={name} roomy={roomy}>
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
  roomy: boolean;
  children: ReactNode;
}

/** Decides an issue as an option does; pressed where the ruling decides it as this one. */
function DecideSo({ model, issue, index, offer, name, roomy, children }: DecideSoProps) {
  const { stored, request } = model;
  const { id } = issue;
  const { options = [] } = request.argument;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  const choice = useSelected(stored, () => model.draft().choice);
  const as = decision === null ? [] : decidedAs(decision, issue, options);
  return (
    <button
      type="button"
      aria-label={name}
      // Where the column of the chosen option has a menu, that shows it.
      aria-pressed={as.includes(index) && (choice === null || !roomy)}
      className="h-full min-h-6 w-full rounded-md border border-input px-1 text-start wrap-anywhere hyphens-auto hover:bg-accent aria-pressed:border-arbitrator aria-pressed:bg-arbitrator-soft aria-pressed:text-arbitrator max-sm:min-h-11"
      onClick={() =>
        model.change(withDecision(stored.get(), id, withOffer(decision, offer, id, options, choice)))
      }
    >
      {children}
    </button>
  );
}

interface DecisionMenuProps {
  model: DecisionModel;
  issue: Issue;
  /** What the chosen option makes of it, in a word; null where it leaves it. */
  offer: RulingChange | null;
  said: string | null;
}

/** What the ruling makes of an issue, in the column of the chosen option. */
function DecisionMenu({ model, issue, offer, said }: DecisionMenuProps) {
  const t = useT();
  const { stored, rules } = model;
  const { id } = issue;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  return (
    <Select
      label={t('ruling.issues.decision', { id })}
      value={decision?.change ?? LEAVE}
      choices={[LEAVE, ...orderedChoices(issue, rules)].map((change) => [
        change,
        change === offer?.change && said !== null ? said : t.label('decide', change),
      ])}
      className="min-h-6 w-full grow rounded-md! border-arbitrator! px-0.5 text-xs! font-semibold max-sm:min-h-11"
      onChoose={(change) =>
        model.change(
          withDecision(
            stored.get(),
            id,
            change === LEAVE ? null : withChange(decision, change, offer ?? undefined),
          ),
        )
      }
    />
  );
}
