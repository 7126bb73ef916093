import { ArrowUpRight, FileText } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Debate } from '@/api/types';
import { issuesToName } from '@/debate/compareOptions';
import { MOST_TITLES } from '@/debate/OptionDecides';
import { OptionList } from '@/debate/OptionList';
import { AgreementNotice } from '@/debate/ruling/AgreementNotice';
import { AskedIssues } from '@/debate/ruling/AskedIssues';
import { Decision } from '@/debate/ruling/Decision';
import { withChoice } from '@/debate/ruling/decisionModel';
import { draftOf } from '@/debate/ruling/draft';
import { IssuesSoFar } from '@/debate/ruling/IssuesSoFar';
import { Said } from '@/debate/ruling/Question';
import { RequestLine } from '@/debate/ruling/RequestLine';
import { useFetchedRequest } from '@/debate/ruling/rulingRequest';
import { useT } from '@/i18n';
import { planSearch, THE_PLAN } from '@/lib/planRoute';
import { debatePath } from '@/lib/router';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { IssueLinksContext, linksIntoDebate } from '@/ui/IssueLink';
import { Link } from '@/ui/Link';
import { Loading } from '@/ui/Loading';
import { useDeferredArrival } from '@/ui/useDeferredArrival';
import { useNearView } from '@/ui/useNearView';
import { SideLines } from './SideLines';

export interface FocusRequest {
  id: string;
  /** Whether the card is scrolled to the top of the page, rather than just into view. */
  atTop?: boolean;
}

interface InboxCardProps {
  debate: Debate;
  /** The active card has the whole decision; the others show what is asked. */
  active: boolean;
  /** Whether it is the active card or beside it: what is asked is there when the person goes on. */
  beside: boolean;
  /** A new object for each request to focus this card. */
  focusRequest: FocusRequest | null;
  onSelect: (id: string) => void;
}

/** Clicks on these do what they say; one anywhere else makes the card active. */
const CONTROLS = 'a, button, input, textarea, select, label, summary, [role=group], pre';

/** The decision on a debate, folded until its card is the active one. */
export function InboxCard({ debate, active, beside, focusRequest, onSelect }: InboxCardProps) {
  const t = useT();
  const card = useRef<HTMLElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const near = useNearView(card, '[data-inbox]');
  const wanted = near || beside;
  const asked = useFetchedRequest(debate, wanted);
  const request = useDeferredArrival(asked.request);
  const issueLinks = useMemo(() => linksIntoDebate(debate.id, request?.issues ?? []), [debate.id, request]);
  const titleId = `inbox-${debate.id}`;
  const named = issuesToName(request?.argument.options ?? [], request?.ledger ?? [], MOST_TITLES);
  const seq = request?.argument.seq ?? debate.last_seq;

  useEffect(() => {
    if (focusRequest === null) return;
    link.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: focusRequest.atTop ? 'start' : 'nearest' });
    // Of a card that is higher than the page the title is seen.
    link.current?.scrollIntoView({ block: 'nearest' });
  }, [focusRequest]);

  /** Choosing an option begins the ruling. */
  function choose(choice: number) {
    if (request === undefined) return;
    const draft = draftOf(debate.id);
    draft.set(withChoice(draft.get(), request, choice));
    onSelect(debate.id);
  }

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
          // The next card does not move while this one is fetched; others take about the room that they will need.
          request === undefined && (active ? 'min-h-dvh' : 'min-h-96'),
          // It is laid out when it comes near.
          !wanted && '[content-visibility:auto]',
        )}
      >
        <header className="px-4 pt-3.5 sm:px-5">
          <RequestLine debate={debate} inCard>
            <span className="ml-auto max-sm:hidden">{t.label('type', debate.debate_type)}</span>
          </RequestLine>
          <h2
            id={titleId}
            dir="auto"
            className="mt-1.5 text-[16px] leading-snug font-semibold tracking-tight [unicode-bidi:isolate] wrap-anywhere"
          >
            <Link ref={link} href={debatePath(debate.id)} className="scroll-mt-14 rounded hover:underline">
              <InlineText text={debate.title} />
            </Link>
          </h2>
        </header>
        <div className={cn('px-4 pt-2 sm:px-5', !active && 'pb-4')}>
          <IssueLinksContext value={issueLinks}>
            {request === undefined ? (
              <Loading query={asked} />
            ) : active ? (
              <Decision debate={debate} request={request} inCard />
            ) : (
              <>
                <AgreementNotice debate={debate} request={request} />
                <Said argument={request.argument} lines={3} />
                {named.length > 0 && <AskedIssues issues={named} />}
                {!request.toFinish && <SideLines {...request} />}
                <IssuesSoFar debate={debate} request={request} />
                {request.argument.options && (
                  <OptionList
                    options={request.argument.options}
                    seq={request.argument.seq}
                    ledger={request.ledger}
                    onChoose={choose}
                  />
                )}
              </>
            )}
          </IssueLinksContext>
          <div
            className={cn(
              'mt-3 flex flex-wrap items-center gap-x-3 gap-y-2',
              active && 'border-t py-3',
              // What comes would move it.
              active && request === undefined && 'invisible',
            )}
          >
            {!active && (
              <Button size="sm" aria-describedby={titleId} onClick={() => onSelect(debate.id)}>
                {t('inbox.rule')}
              </Button>
            )}
            <CardLink href={debatePath(debate.id, seq)} titleId={titleId}>
              {t('start.open')}
              <ArrowUpRight aria-hidden />
            </CardLink>
            {debate.plan && (
              <CardLink href={`${debatePath(debate.id)}${planSearch(THE_PLAN)}`} titleId={titleId}>
                <FileText aria-hidden />
                {t('inbox.plan')}
              </CardLink>
            )}
          </div>
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
      className="inline-flex items-center gap-1 rounded max-sm:min-h-11 text-[13px] font-medium text-muted-foreground hover:text-foreground hover:underline [&_svg]:size-3.5"
    >
      {children}
    </Link>
  );
}
