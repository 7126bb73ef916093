import { Clock } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import type { AppealOption, Argument, IssueCounts } from '@/api/types';
import { useT } from '@/i18n';
import { IssueCountLabel } from '@/issues/IssueCountLabel';
import { useNow } from '@/lib/useNow';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Choices } from '@/ui/Choices';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { roleStyle, typeIcon } from '@/ui/roleStyles';
import { TextSkeleton } from '@/ui/Skeleton';
import { ArgumentText } from '../ArgumentText';
import { optionLabel } from '../OptionList';
import type { RulingRequest } from './rulingRequest';

const CLOCK_MS = 15_000;

interface RequestLineProps {
  counts: IssueCounts;
  /** Undefined until it has arrived. */
  request: RulingRequest | undefined;
  children: ReactNode;
}

/** What is asked, since when it waits, and how many issues are not settled. */
export function RequestLine({ counts, request, children }: RequestLineProps) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  const type = (request?.stop ?? request?.argument)?.type ?? '';
  const Icon = typeIcon(type);
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-muted-foreground">
      {request !== undefined && (
        <>
          <Badge tone="arbitrator">
            <Icon aria-hidden />
            {t.label('asks', type)}
          </Badge>
          <span
            title={t.dateTime(request.since)}
            data-since={request.since}
            className="inline-flex items-center gap-1 tabular-nums"
          >
            <Clock aria-hidden className="size-3.5" />
            {t('inbox.waits', { time: t.duration(now - Date.parse(request.since)) })}
          </span>
        </>
      )}
      <IssueCountLabel counts={counts} />
      {children}
    </div>
  );
}

interface LoadingProps {
  query: { isError: boolean; refetch: () => unknown };
}

/** Shown until something has arrived, also if it could not be fetched. */
export function Loading({ query: { isError, refetch } }: LoadingProps) {
  const t = useT();
  if (!isError) return <TextSkeleton />;
  return (
    <p className="flex items-center gap-2 text-sm text-muted-foreground">
      {t('failed.title')}
      <Button size="sm" onClick={() => void refetch()}>
        {t('failed.retry')}
      </Button>
    </p>
  );
}

interface SaidProps {
  argument: Argument;
  /** Only its beginning, which cannot be expanded. */
  excerpt?: boolean;
}

/** An argument outside the debate, which it leads to. */
export function Said({ argument, excerpt = false }: SaidProps) {
  const t = useT();
  const [expanded, setExpanded] = useState(false);
  const { debate_id, seq, role } = argument;
  return (
    <>
      <p className="mb-1 flex items-center gap-1.5 text-xs text-muted-foreground">
        <span className={cn('font-semibold', roleStyle(role).text)}>{t.label('role', role)}</span>
        <ArgumentLink debateId={debate_id} seq={seq} />
      </p>
      <ArgumentText
        argument={argument}
        expanded={expanded}
        onToggle={excerpt ? null : () => setExpanded(!expanded)}
      />
    </>
  );
}

/** Something that is read on demand. */
export function Unfold({ title, children }: { title: ReactNode; children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-2 text-[13px]">
      <summary className="w-fit cursor-pointer rounded text-muted-foreground hover:text-foreground">
        {title}
      </summary>
      {open && <div className="mt-1.5 border-l-2 pl-3">{children()}</div>}
    </details>
  );
}

interface OptionPickerProps {
  options: readonly AppealOption[];
  chosen: number | null;
  onChoose: (index: number) => void;
}

export function OptionPicker({ options, chosen, onChoose }: OptionPickerProps) {
  const t = useT();
  return (
    <Choices
      look="cards"
      label={t('ruling.options')}
      chosen={chosen === null ? null : String(chosen)}
      choices={options.map((option, index) => [
        String(index),
        <Fragment key={option.label}>
          <span dir="auto" className="min-w-0 flex-1 text-sm wrap-anywhere">
            <InlineText text={optionLabel(option, t('ruling.other'))} />
            {option.detail && (
              <span className="mt-0.5 block text-[13px] font-normal whitespace-pre-wrap text-muted-foreground">
                <InlineText text={option.detail} />
              </span>
            )}
          </span>
          {index < 9 && (
            <kbd aria-hidden className="text-[11px] text-muted-foreground tabular-nums max-md:hidden">
              {index + 1}
            </kbd>
          )}
        </Fragment>,
      ])}
      className="mt-4 gap-2! *:px-3.5 *:py-2.5"
      onChoose={(index) => onChoose(Number(index))}
    />
  );
}
