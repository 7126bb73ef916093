import type { RefObject } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import type { TextPart } from '@/ui/TextParts';
import type { DecisionModel } from './decisionModel';
import type { RulingOutcome } from './rulingOutcome';
import { useRuling } from './undo/unsentRulings';

/** Of those that stay open when a debate is closed. */
const NAMED_ISSUES = 5;

/** Checks a ruling and hands it over to be sent. */
export function useSend(
  model: DecisionModel,
  { changes, words }: RulingOutcome,
  /** Null where that is not told. */
  unsettled: readonly Issue[] | null,
  /** The option and the changes in short, and the text. */
  said: readonly TextPart[],
  box: RefObject<HTMLTextAreaElement | null>,
) {
  const t = useT();
  const { debate, request } = model;
  const { rule } = useRuling(debate);

  /** Whether nothing is missing; what is says so, and the first of it gets the focus. */
  function isComplete(close: boolean): boolean {
    const fields = box.current?.form?.querySelectorAll<HTMLTextAreaElement>('textarea') ?? [];
    const wordless = close ? request.toFinish : request.mayGoOn;
    const missing = [...fields].filter(
      (field) => !field.validity.valid && !(field === box.current && wordless),
    );
    for (const field of fields) field.toggleAttribute('data-tried', missing.includes(field));
    missing[0]?.focus();
    return missing.length === 0;
  }

  function closing(): string {
    if (unsettled === null) return `${t('unsent.close')}, ${t('unsent.close.untold')}`;
    const n = unsettled.length;
    if (n === 0) return t('unsent.close');
    const names = unsettled
      .slice(0, NAMED_ISSUES)
      .map(({ id, severity }) => `${id} ${t.label('severity', severity)}`);
    return `${t('unsent.close')}, ${t('issues.unsettled', { n })} (${names.join(', ')})`;
  }

  function send(close: boolean): void {
    rule({
      content: words || t(`ruling.${changes.length > 0 ? 'decided' : close ? 'agreed' : 'goOn'}.text`),
      close,
      chosenOption: model.draft().choice,
      changes,
      asked: (request.stop ?? request.argument).seq,
      effect: close ? closing() : t(request.toFinish ? 'unsent.sendback' : 'unsent.continue'),
      summary: said,
    });
  }
  return { isComplete, send };
}
