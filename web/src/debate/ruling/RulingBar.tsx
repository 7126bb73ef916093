import { useEffect, useRef, useState } from 'react';
import { MAX_ISSUE_CHANGES } from '@/api/limits';
import { useT } from '@/i18n';
import { useSelected, useStore } from '@/lib/store';
import { byteLength } from '@/ui/byteSize';
import { cn } from '@/ui/cn';
import { Term } from '@/ui/Term';
import { joined, written } from '@/ui/TextParts';
import { asksToClose, primaryMove } from './closing';
import { type DecisionModel, NO_RULES } from './decisionModel';
import { draftUnsaved, isWritten } from './draft';
import { unsettledAfter, usePreview } from './preview';
import { type Question, QuestionBeforeSending } from './QuestionBeforeSending';
import { RulingBox } from './RulingBox';
import { RulingButtons } from './RulingButtons';
import { outcomeOf, summaryOf, wholeSummaryOf } from './rulingOutcome';
import { StickyBar } from './StickyBar';
import { useSend } from './useSend';
import { WhatIsSent } from './WhatIsSent';

interface RulingBarProps {
  model: DecisionModel;
  /** Whether it is in a card of the inbox. */
  inCard: boolean;
  busy: boolean;
}

/** What will be sent, the box to write in and the buttons, always in view. */
export function RulingBar({ model, inCard, busy }: RulingBarProps) {
  const t = useT();
  const { debate, request, stored, rules, maxBytes } = model;
  const { toFinish, agreed } = request;
  useStore(stored);
  const unsaved = useStore(draftUnsaved);
  const draft = model.draft();
  const outcome = outcomeOf(draft, request, rules);
  const preview = usePreview(model);
  const unsettled = unsettledAfter(request.ledger, outcome.changes, preview);
  const summary = summaryOf(t, outcome, draft.comments);
  const text = draft.text.trim();
  const [line = ''] = text.split('\n');
  // Where the ruling is seen away from the option, it says all that this decides.
  const whole = joined([wholeSummaryOf(t, outcome, draft.comments), written(text)]);
  const box = useRef<HTMLTextAreaElement>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const { isComplete, send } = useSend(model, outcome, unsettled, whole, box);
  const choice = useSelected(stored, () => model.draft().choice);
  const former = useRef(choice);
  useEffect(() => {
    if (choice !== former.current && request.argument.options?.[choice ?? -1]?.free_form)
      box.current?.focus();
    former.current = choice;
  }, [choice, request]);

  const bytes = byteLength(outcome.words);
  // What a decision on an issue needs is known once the server has told it.
  const isKnown = outcome.changes.length === 0 || rules !== NO_RULES;
  const valid = isKnown && outcome.changes.length <= MAX_ISSUE_CHANGES && bytes <= maxBytes && !busy;
  const primary = primaryMove(request, outcome);

  function press(close: boolean, byKeys: boolean) {
    if (!isComplete(close)) return;
    if (close ? asksToClose(request, outcome, unsettled, byKeys) : outcome.left.length > 0)
      setQuestion(close ? 'close' : 'left');
    else send(close);
  }
  const label = (close: boolean) =>
    close
      ? t(agreed && !outcome.asksForMore ? 'ruling.agreed' : 'ruling.close')
      : t(toFinish ? 'ruling.sendback' : 'ruling.continue');

  return (
    <StickyBar inCard={inCard} waits={busy}>
      <WhatIsSent model={model} preview={preview} summary={summary} outcome={outcome} />
      <div className="flex flex-wrap items-end gap-2">
        <RulingBox ref={box} model={model} text={draft.text} outcome={outcome} />
        <RulingButtons
          request={request}
          primary={primary}
          incomplete={(outcome.missing && !toFinish && !request.mayGoOn) || outcome.unexplained.length > 0}
          unsettled={unsettled?.length ?? 0}
          labelOf={label}
          disabled={!valid}
          onPress={press}
        />
      </div>
      <p className="flex min-h-4 flex-wrap gap-x-3 text-xs text-muted-foreground @max-sm:hidden">
        <span>Ctrl + Enter: {label(primary?.close === true)}</span>
        <Term word={t('ruling.ask')} means={t('ruling.ask.text', { button: label(false) })} />
        <span className={cn('ml-auto', !isWritten(draft) && 'invisible', unsaved && 'text-destructive')}>
          {t(unsaved ? 'ruling.unsaved' : 'ruling.saved')}
        </span>
      </p>
      <BytesLine bytes={bytes} max={maxBytes} />
      <QuestionBeforeSending
        question={question}
        debate={debate}
        issues={question === 'close' ? unsettled : outcome.left}
        said={joined([summary, written(line)])}
        onClose={() => setQuestion(null)}
        onConfirm={() => send(question === 'close')}
      />
    </StickyBar>
  );
}

/** How much of the room for a ruling is used, once that is most of it. */
function BytesLine({ bytes, max }: { bytes: number; max: number }) {
  const t = useT();
  if (bytes <= max * 0.8) return null;
  const tone = bytes > max ? 'font-semibold text-destructive' : 'text-muted-foreground';
  return <p className={cn('text-xs tabular-nums', tone)}>{t('ruling.bytes', { n: bytes, max })}</p>;
}
