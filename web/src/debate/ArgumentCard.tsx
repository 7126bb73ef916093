import { ChevronDown, ChevronUp, Copy, CornerUpLeft, Link2 } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { debatePath } from '@/shell/router';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { sizeLabel } from '@/ui/size';
import { useCopy } from '@/ui/useCopy';
import { isLong, preview } from './fold';
import { OptionList } from './OptionList';
import { RulingNote } from './RulingNote';
import { lookOf, typeIcon } from './sides';

interface ArgumentCardProps {
  argument: Argument;
  /** The `seq` of the argument answered, where it is known. */
  parentSeq: number | null;
  /** On a ruling: the appeal it decided, where it is at hand. */
  appeal: Argument | null;
  unfolded: boolean;
  /** It waits for a ruling: its options are in the panel below, to choose from. */
  asking: boolean;
  flashing: boolean;
  onToggle: (id: string) => void;
  onJump: (seq: number) => void;
}

export const ArgumentCard = memo(function ArgumentCard(props: ArgumentCardProps) {
  const { argument, parentSeq, appeal, unfolded, asking, flashing, onToggle, onJump } = props;
  const t = useT();
  const copy = useCopy();
  const { id, seq, role, type, content } = argument;
  const look = lookOf(role);
  const TypeIcon = typeIcon(type);
  const long = isLong(content) && !asking;
  const folded = long && !unfolded;
  const path = debatePath(argument.debate_id, seq);
  const headingId = `a-${seq}`;

  function jump(target: number) {
    return (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onJump(target);
    };
  }

  return (
    <article
      aria-labelledby={headingId}
      data-seq={seq}
      data-role={role}
      data-type={type}
      className={cn(
        'relative rounded-2xl border shadow-card before:absolute before:top-4 before:bottom-4 before:-left-px before:w-[3px] before:rounded-full',
        look.card,
        flashing && 'flash',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 pt-3 sm:px-5">
        <span className={cn('grid size-7 shrink-0 place-items-center rounded-full', look.avatar)}>
          <look.icon aria-hidden className="size-4" />
        </span>
        <h2 id={headingId} className="flex items-center gap-2 text-sm">
          <span className={cn('font-semibold', look.text)}>{t.word('role', role)}</span>
          <Badge tone={type === 'CLAIM' || type === 'MOTION' ? 'quiet' : look.tone} className={look.badge}>
            <TypeIcon aria-hidden />
            {t.word('argument', type)}
          </Badge>
        </h2>
        <div className="flex min-w-max flex-1 items-center gap-1 text-xs text-muted">
          {parentSeq !== null && (
            <a
              href={debatePath(argument.debate_id, parentSeq)}
              onClick={jump(parentSeq)}
              aria-label={t('argument.replies', { seq: parentSeq })}
              className="inline-flex items-center gap-1 rounded text-xs text-muted tabular-nums hover:text-ink hover:underline"
            >
              <CornerUpLeft aria-hidden className="size-3.5" />#{parentSeq}
            </a>
          )}
          <time
            dateTime={argument.created_at}
            title={t.moment(argument.created_at)}
            className="ml-auto tabular-nums"
          >
            {t.time(argument.created_at)}
          </time>
          <a
            href={path}
            onClick={jump(seq)}
            aria-label={t('argument.jump', { seq })}
            className="rounded px-1 tabular-nums hover:text-ink hover:underline"
          >
            #{seq}
          </a>
          <Button
            variant="ghost"
            size="tiny"
            aria-label={t('argument.link', { seq })}
            title={t('argument.link', { seq })}
            onClick={() => void copy(location.origin + path)}
          >
            <Link2 aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="tiny"
            aria-label={t('argument.copy', { seq })}
            title={t('argument.copy', { seq })}
            onClick={() => void copy(content)}
          >
            <Copy aria-hidden />
          </Button>
        </div>
      </header>
      <div className="px-4 pt-2 pb-4 sm:px-5">
        {type === 'RULING' && <RulingNote ruling={argument} appeal={appeal} />}
        <div className={cn(folded && 'folded')}>
          {content === '' ? (
            <p className="text-muted italic">{t('argument.stopped')}</p>
          ) : (
            <Markdown text={folded ? preview(content) : content} scope={`a${seq}`} />
          )}
        </div>
        {long && (
          <Button
            variant="link"
            size="bare"
            aria-expanded={unfolded}
            className="mt-2 rounded text-[13px]"
            onClick={() => onToggle(id)}
          >
            {unfolded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
            {unfolded ? t('argument.fold') : t('argument.unfold', { size: sizeLabel(content) })}
          </Button>
        )}
        {!asking && argument.options && argument.options.length > 0 && (
          <OptionList options={argument.options} />
        )}
      </div>
    </article>
  );
});
