import { CheckCheck, Clock, OctagonPause, Scale } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AppealOption, Argument } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { useNow } from '@/lib/useNow';
import { Badge } from '@/ui/badge';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { roleStyle } from '@/ui/roleStyles';
import { ArgumentText } from '../ArgumentText';
import { optionLabel } from '../optionLabel';
import type { Asked } from './asked';

const CLOCK_MS = 15_000;

/** What is asked, as a badge, and since when it waits. */
export function AskedBadge({ asked: { argument, stop, since } }: { asked: Asked }) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  const [Icon, label] =
    argument.type === 'APPEAL'
      ? ([Scale, stop === null ? 'inbox.appeal' : 'inbox.late'] as const)
      : argument.type === 'RESOLUTION'
        ? ([CheckCheck, 'inbox.resolution'] as const)
        : ([OctagonPause, 'inbox.intervention'] as const);
  return (
    <>
      <Badge tone="arbitrator">
        <Icon aria-hidden />
        {t(label)}
      </Badge>
      <span
        title={t.dateTime(since)}
        data-since={since}
        className="inline-flex items-center gap-1 tabular-nums"
      >
        <Clock aria-hidden className="size-3.5" />
        {t('inbox.waits', { time: t.duration(now - Date.parse(since)) })}
      </span>
    </>
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

/** The number of an argument, which leads to it in the debate. */
export function ArgumentLink({ debateId, seq }: { debateId: string; seq: number }) {
  const t = useT();
  return (
    <Link
      href={debatePath(debateId, seq)}
      aria-label={t('argument.jump', { seq })}
      className="rounded text-xs text-muted-foreground tabular-nums hover:text-foreground hover:underline"
    >
      #{seq}
    </Link>
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
    <fieldset className="mt-4">
      <legend className="sr-only">{t('ruling.options')}</legend>
      <div className="grid gap-2">
        {options.map((option, index) => (
          <label
            // biome-ignore lint/suspicious/noArrayIndexKey: options have no other key
            key={index}
            className={cn(
              'flex cursor-pointer items-start gap-3 rounded-xl border px-3.5 py-2.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-arbitrator',
              chosen === index ? 'border-arbitrator bg-arbitrator-soft' : 'border-border hover:bg-accent',
            )}
          >
            <input
              type="radio"
              name="option"
              className="mt-1 accent-arbitrator outline-none"
              checked={chosen === index}
              onChange={() => onChoose(index)}
            />
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              <span className="block text-sm font-medium">{optionLabel(option, t('ruling.other'))}</span>
              {option.detail && (
                <span className="mt-0.5 block text-[13px] whitespace-pre-wrap text-muted-foreground">
                  {option.detail}
                </span>
              )}
            </span>
            {index < 9 && (
              <kbd
                aria-hidden
                className="mt-0.5 text-[11px] text-muted-foreground tabular-nums max-md:hidden"
              >
                {index + 1}
              </kbd>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
