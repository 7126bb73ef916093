import { Check, Copy, CornerUpLeft, Cpu, Lock, MoveRight } from 'lucide-react';
import { memo } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { ChangeBadges } from '@/issues/ChangeBadges';
import { figuresOf, nameOf } from '@/timeline/agentFigures';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { Badge } from '@/ui/badge';
import { IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';
import { roleStyle, typeIcon } from '@/ui/roleStyles';
import { Term } from '@/ui/Term';
import { Time } from '@/ui/Time';
import { useCopy } from '@/ui/useCopy';
import { ArgumentText } from './ArgumentText';
import { departuresText } from './departures';
import { OptionList, optionLabel } from './OptionList';

interface ArgumentCardProps {
  argument: Argument;
  /** The seq of the argument that it answers; null if there is none or it is not loaded. */
  parentSeq: number | null;
  /** Of a ruling that chose an option, the appeal that offered it, where that is loaded. */
  appeal: Argument | undefined;
  /** Of an appeal, the index of the option that a ruling chose, where that is loaded. */
  chosen: number | undefined;
  expanded: boolean;
  highlighted: boolean;
  onToggle: (id: string) => void;
  onJump: (seq: number) => void;
}

export const ArgumentCard = memo(function ArgumentCard(props: ArgumentCardProps) {
  const { argument, parentSeq, appeal, chosen, expanded, highlighted, onToggle, onJump } = props;
  const t = useT();
  const copy = useCopy();
  const { id, seq, role, type, content } = argument;
  const style = roleStyle(role);
  const TypeIcon = typeIcon(type);
  const headingId = `a-${seq}`;

  return (
    <article
      aria-labelledby={headingId}
      data-seq={seq}
      data-role={role}
      data-type={type}
      className={cn(
        'relative rounded-2xl border shadow-subtle before:absolute before:top-4 before:bottom-4 before:-left-px before:w-[3px] before:rounded-full',
        style.card,
        highlighted && 'highlight',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 pt-3 sm:px-5">
        <span className={cn('grid size-7 shrink-0 place-items-center rounded-full', style.avatar)}>
          <style.icon aria-hidden className="size-4" />
        </span>
        <h2 id={headingId} className="flex items-center gap-2 text-sm">
          <span className={cn('font-semibold', style.text)}>{t.label('role', role)}</span>
          <Badge tone={type === 'CLAIM' || type === 'MOTION' ? 'quiet' : style.tone} className={style.badge}>
            <TypeIcon aria-hidden />
            <Term word={t.label('argument', type)} means={t.explain(type)} />
          </Badge>
        </h2>
        <div className="flex min-w-max flex-1 items-center gap-1 text-xs text-muted-foreground">
          {parentSeq !== null && (
            <ArgumentLink
              debateId={argument.debate_id}
              seq={parentSeq}
              onJump={onJump}
              aria-label={t('argument.replies', { seq: parentSeq })}
              className="inline-flex items-center gap-1"
            >
              <CornerUpLeft aria-hidden className="size-3.5" />
            </ArgumentLink>
          )}
          <Time at={argument.created_at} className="ml-auto" />
          <ArgumentLink debateId={argument.debate_id} seq={seq} onJump={onJump} className="px-1" />
          <IconButton
            icon={Copy}
            size="tiny"
            label={t('argument.copy', { seq })}
            onClick={() => void copy(content)}
          />
        </div>
      </header>
      <div className="px-4 pt-2 pb-4 sm:px-5">
        {type === 'RULING' && <RulingOutcome ruling={argument} appeal={appeal} />}
        {argument.issue_changes && <ChangeBadges changes={argument.issue_changes} seq={argument.seq} />}
        <ArgumentText argument={argument} expanded={expanded} onToggle={() => onToggle(id)} />
        {argument.options && argument.options.length > 0 && (
          <OptionList options={argument.options} seq={seq} chosen={chosen} />
        )}
        {argument.agents && <AgentList agents={argument.agents} />}
      </div>
    </article>
  );
});

interface RulingOutcomeProps {
  ruling: Argument;
  appeal: Argument | undefined;
}

/** The option that a ruling chose, where it decided otherwise, and whether it closed the debate. */
function RulingOutcome({ ruling, appeal }: RulingOutcomeProps) {
  const t = useT();
  const { chosen } = ruling;
  const departures = departuresText(t, ruling, appeal);
  return (
    <p className="mb-2 flex flex-wrap gap-1.5">
      {chosen && (
        <Badge tone="arbitrator" className="max-w-full bg-chip! whitespace-normal! wrap-anywhere">
          <Check aria-hidden />
          {t('argument.chose')}
          {`: ${optionLabel({ label: chosen.label, free_form: true }, t('ruling.other'))}`}
        </Badge>
      )}
      {departures !== '' && (
        <span data-departs className="self-center text-[13px] text-arbitrator tabular-nums">
          {departures}
        </span>
      )}
      <Badge tone="quiet" className="bg-chip!">
        {ruling.close ? <Lock aria-hidden /> : <MoveRight aria-hidden />}
        {ruling.close ? t('argument.closed') : t('argument.continued')}
      </Badge>
    </p>
  );
}

/** The programs that wrote an argument, and what they used. */
function AgentList({ agents }: { agents: NonNullable<Argument['agents']> }) {
  const t = useT();
  return (
    <ul aria-label={t('agents.title')} className="mt-3 grid gap-1 text-xs text-muted-foreground">
      {agents.map((agent, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: agents have no other key
        <li key={index} className="flex gap-1.5">
          <Cpu aria-hidden className="mt-0.5 size-3 shrink-0" />
          <p className="min-w-0 tabular-nums wrap-anywhere">
            <span className="font-medium">{nameOf(t, agent)}</span> {figuresOf(t, agent)}
          </p>
        </li>
      ))}
    </ul>
  );
}
