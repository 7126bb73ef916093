import { ArrowUpRight, Clock, FileText } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { IssueCountLabel } from '@/issues/IssueCountLabel';
import { planSearch, THE_PLAN } from '@/lib/planRoute';
import { debatePath } from '@/lib/router';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { IssueLinksContext, linksIntoDebate } from '@/ui/IssueLink';
import { Link } from '@/ui/Link';
import { typeIcon } from '@/ui/roleStyles';
import { CardQuestion } from './CardQuestion';
import { CardRuling } from './CardRuling';
import { type AskedResult, useAsked } from './useAsked';

interface InboxCardProps {
  debate: Debate;
  now: number;
  /** The active card has the form; the others show what is asked. */
  active: boolean;
  /** A new object for each request to focus this card. */
  focusRequest: { id: string } | null;
  onSelect: (id: string) => void;
}

/** Clicks on these do what they say; one anywhere else makes the card active. */
const CONTROLS = 'a, button, input, textarea, select, label, summary, [role=group], pre';

export function InboxCard(props: InboxCardProps) {
  const { debate, now, active, focusRequest, onSelect } = props;
  const t = useT();
  const card = useRef<HTMLElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const result = useAsked(debate);
  const { asked, issues } = result;
  const issueLinks = useMemo(() => linksIntoDebate(debate.id, issues), [debate.id, issues]);
  const titleId = `inbox-${debate.id}`;
  const seq = asked?.argument.seq ?? debate.last_seq;

  useEffect(() => {
    if (focusRequest === null) return;
    link.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [focusRequest]);

  function onClick(event: MouseEvent) {
    const onControl = event.target instanceof Element && event.target.closest(CONTROLS) !== null;
    if (active || onControl || getSelection()?.isCollapsed === false) return;
    onSelect(debate.id);
  }

  return (
    <li>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a button in the card does the same */}
      <article
        ref={card}
        aria-labelledby={titleId}
        data-card={debate.id}
        data-active={active}
        onClick={onClick}
        className={cn(
          'scroll-my-4 rounded-2xl border bg-card shadow-subtle transition-colors',
          active ? 'border-arbitrator/50' : 'cursor-pointer hover:border-muted-foreground/50',
        )}
      >
        <header className="px-4 pt-3.5 sm:px-5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
            <AskedBadge asked={asked} />
            {asked !== null && (
              <span
                title={t.dateTime(asked.since)}
                className="inline-flex items-center gap-1 tabular-nums"
                data-since={asked.since}
              >
                <Clock aria-hidden className="size-3.5" />
                {t('inbox.waits', { time: t.duration(now - Date.parse(asked.since)) })}
              </span>
            )}
            <IssueCountLabel counts={debate.issue_counts} />
            <span className="ml-auto max-sm:hidden">{t.label('type', debate.debate_type)}</span>
          </div>
          <h2
            id={titleId}
            dir="auto"
            className="mt-1.5 text-[16px] leading-snug font-semibold tracking-tight [unicode-bidi:isolate] wrap-anywhere"
          >
            <Link ref={link} href={debatePath(debate.id, seq)} className="rounded hover:underline">
              {debate.title}
            </Link>
          </h2>
        </header>
        <div className="px-4 pt-2 pb-4 sm:px-5">
          <IssueLinksContext value={issueLinks}>
            {asked === null ? (
              <Loading result={result} />
            ) : (
              <CardQuestion debateId={debate.id} asked={asked} active={active} />
            )}
            <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
              {!active && (
                <Button size="sm" aria-describedby={titleId} onClick={() => onSelect(debate.id)}>
                  {t('inbox.rule')}
                </Button>
              )}
              <CardLink href={debatePath(debate.id, seq)} titleId={titleId}>
                {t('inbox.open')}
                <ArrowUpRight aria-hidden />
              </CardLink>
              {asked?.hasPlan && (
                <CardLink href={`${debatePath(debate.id)}${planSearch(THE_PLAN)}#${seq}`} titleId={titleId}>
                  <FileText aria-hidden />
                  {t('inbox.plan')}
                </CardLink>
              )}
            </div>
            {asked !== null && active && (
              <CardRuling debate={debate} question={asked.question} issues={issues} />
            )}
          </IssueLinksContext>
        </div>
      </article>
    </li>
  );
}

/** Leads from the card into its debate. */
function CardLink({ href, titleId, children }: { href: string; titleId: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      aria-describedby={titleId}
      className="inline-flex items-center gap-1 rounded text-[13px] font-medium text-muted-foreground hover:text-foreground hover:underline [&_svg]:size-3.5"
    >
      {children}
    </Link>
  );
}

const KINDS = {
  appeal: ['APPEAL', 'inbox.appeal'],
  'late-appeal': ['APPEAL', 'inbox.late'],
  resolution: ['RESOLUTION', 'inbox.resolution'],
  intervention: ['INTERVENTION', 'inbox.intervention'],
} as const;

function AskedBadge({ asked }: Pick<AskedResult, 'asked'>) {
  const t = useT();
  if (asked === null) return <span className="h-5" />;
  const [type, label] = KINDS[asked.question.kind];
  const Icon = typeIcon(type);
  return (
    <Badge tone="arbitrator">
      <Icon aria-hidden />
      {t(label)}
    </Badge>
  );
}

function Loading({ result }: { result: AskedResult }) {
  const t = useT();
  if (!result.failed) {
    return <div role="status" aria-label={t('inbox.loading')} className="h-16 rounded-lg bg-accent/60" />;
  }
  return (
    <p className="flex items-center gap-2 text-sm text-muted-foreground">
      {t('failed.title')}
      <Button size="sm" onClick={result.retry}>
        {t('failed.retry')}
      </Button>
    </p>
  );
}
