import { Check } from 'lucide-react';
import { useContext } from 'react';
import type { AppealOption, Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { cn } from '@/ui/cn';
import { Disclosure } from '@/ui/Disclosure';
import { IssueLinksContext } from '@/ui/IssueLink';
import { compareOptions, FEW_ISSUES } from './compareOptions';
import { DecidesNone, decidesNone, OptionDecides } from './OptionDecides';
import { DecidedInShort, OptionTable } from './OptionTable';

interface OptionListProps {
  options: readonly AppealOption[];
  /** The number of the appeal. Options have none here, since commands count them from 0, and the keys that choose one from 1. */
  seq: number;
  /** All issues, where the options wait for a ruling: without the details, and compared. */
  ledger?: readonly Issue[];
  /** The index of the one that a ruling chose. */
  chosen?: number | undefined;
  /** Where an option can be chosen. */
  onChoose?: (index: number) => void;
}

export function OptionList({ options, seq, ledger, chosen, onChoose }: OptionListProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  const compact = ledger !== undefined;
  const comparison = compact ? compareOptions(options, ledger) : null;
  const each = cn('relative flex px-3.5', compact ? 'py-1.5 max-sm:min-h-12 max-sm:items-center' : 'py-2.5');
  return (
    <div className={compact ? 'mt-3' : 'mt-4'}>
      <ul
        aria-label={t('argument.options')}
        className="divide-y divide-border overflow-hidden rounded-xl border border-border"
      >
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: options have no other key
          <li key={index} className={cn(each, index === chosen && 'bg-arbitrator-soft')}>
            {onChoose && (
              <button
                type="button"
                aria-label={t('inbox.choose', { option: optionLabel(option, t('ruling.other')) })}
                className="absolute inset-0 hover:bg-foreground/5"
                onClick={() => onChoose(index)}
              />
            )}
            <div dir="auto" className="min-w-0 wrap-anywhere">
              <div className="font-medium *:text-sm">
                {index === chosen && (
                  <Check
                    aria-label={t('ruling.options.chosen')}
                    className="mt-0.5 mr-1.5 float-start size-4! text-arbitrator"
                  />
                )}
                <Markdown text={optionLabel(option, t('ruling.other'))} scope={`o${seq}-${index}`} />
              </div>
              {!compact && option.detail && (
                <div className="mt-0.5 text-muted-foreground *:text-sm">
                  <Markdown text={option.detail} scope={`o${seq}-${index}-d`} />
                </div>
              )}
              {compact && decidesNone(option, options, ledger) ? (
                <DecidesNone />
              ) : comparison?.columns.includes(index) ? (
                <DecidedInShort comparison={comparison} index={index} />
              ) : (
                <OptionDecides
                  changes={option.issue_changes}
                  find={(id) => links?.find(id)}
                  titled={!compact}
                  notes={compact ? 'none' : 'whole'}
                  folded={compact}
                  past={!compact}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {comparison !== null && (
        <Disclosure
          title={t('ruling.options.compared')}
          open={comparison.rows.length <= FEW_ISSUES}
          className="mt-1"
        >
          {() => <OptionTable options={options} comparison={comparison} />}
        </Disclosure>
      )}
    </div>
  );
}

/** The label of the option that the server adds; it is shown in the user's language. */
const ADDED_BY_SERVER = 'Something else';

export function optionLabel(option: AppealOption, somethingElse: string): string {
  return option.free_form && option.label === ADDED_BY_SERVER ? somethingElse : option.label;
}
