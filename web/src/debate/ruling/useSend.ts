import type { RefObject } from 'react';
import { useT } from '@/i18n';
import type { DecisionModel } from './decisionModel';
import type { RulingOutcome } from './rulingOutcome';
import { useRuling } from './undo/unsentRulings';

/** Of those that stay open when a debate is closed. */
const NAMED_ISSUES = 5;

/** Checks a ruling and hands it over to be sent. */
export function useSend(
  model: DecisionModel,
  outcome: RulingOutcome,
  summary: string,
  box: RefObject<HTMLTextAreaElement | null>,
  onTried: (tried: boolean) => void,
) {
  const t = useT();
  const { debate, request } = model;
  const { rule } = useRuling(debate);
  const { changes, unsettled, unsettledCount, words } = outcome;

  /** Whether nothing is missing; what is gets the focus, and says so. Agreeing needs no words. */
  function isComplete(close: boolean): boolean {
    const fields = box.current?.form?.querySelectorAll<HTMLTextAreaElement>('textarea:invalid') ?? [];
    const empty = [...fields].find((field) => field !== box.current || !(close && request.toFinish));
    onTried(empty !== undefined);
    empty?.focus();
    return empty === undefined;
  }

  function closing(): string {
    if (unsettledCount === 0) return t('unsent.close');
    const open = unsettled
      .slice(0, NAMED_ISSUES)
      .map(({ id, severity }) => `${id} ${t.label('severity', severity)}`);
    const names = open.length > 0 ? ` (${open.join(', ')})` : '';
    return `${t('unsent.close')}, ${t('issues.unsettled', { n: unsettledCount })}${names}`;
  }

  function send(close: boolean): void {
    const draft = model.draft();
    const [line = ''] = draft.text.trim().split('\n');
    rule({
      content: words || t(changes.length > 0 ? 'ruling.decided.text' : 'ruling.agreed.text'),
      close,
      chosenOption: draft.choice,
      changes,
      effect: close ? closing() : t(request.toFinish ? 'unsent.sendback' : 'unsent.continue'),
      summary: [summary, line].filter(Boolean).join(' · '),
    });
  }
  return { isComplete, send };
}
