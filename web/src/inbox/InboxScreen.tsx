import { QueryClientProvider } from '@tanstack/react-query';
import { Inbox, List, Plus, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ConnectionBadge } from '@/debate/ConnectionBadge';
import { unsentRulings, withoutRuling } from '@/debate/ruling/undo/unsentRulings';
import type { DebateListSnapshot } from '@/debateList/debateListStore';
import { pageQueries } from '@/documents/queries';
import { useT } from '@/i18n';
import { debateInHash, debatePath, LIST_PATH, NEW_PATH, navigate, subscribe } from '@/lib/router';
import { useStore } from '@/lib/store';
import { useShortcuts } from '@/lib/useShortcuts';
import { startParser } from '@/markdown/parse';
import { Button, ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { TextSkeleton } from '@/ui/Skeleton';
import { useClicksAfterMove } from '@/ui/useClicksAfterMove';
import { useStillText } from '@/ui/useStillText';
import { neighbour, replacement } from './cardSelection';
import { type FocusRequest, InboxCard } from './InboxCard';
import { placeLeft, useInboxPlace } from './useInboxPlace';

startParser();

/** So many cards are shown at once. */
const PAGE = 20;

interface InboxScreenProps {
  snapshot: DebateListSnapshot;
  /** Fetches again what could not be fetched. */
  onRetry: () => void;
}

/** What waits for the arbitrator: a card for each debate in which a ruling is due, the longest waiting first. */
export default function InboxScreen({ snapshot, onRetry }: InboxScreenProps) {
  const t = useT();
  const { debates, due, dueLoaded, dueBeyond, loaded, connection } = snapshot;
  const page = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(() => placeLeft()?.most ?? PAGE);
  // A debate whose ruling waits to be sent is no card any more: Undo brings it back.
  const rulings = useStore(unsentRulings);
  const cards = withoutRuling(due, debates, rulings).flatMap((id) => debates.get(id) ?? []);
  const ids = cards.map(({ id }) => id);
  const shown = dueLoaded ? cards.slice(0, most) : [];

  const [chosen, setChosen] = useState<string | null>(() => debateInHash() ?? placeLeft()?.active ?? null);
  const former = useRef<readonly string[]>([]);
  const active = replacement(ids, former.current, chosen);
  const place = active === null ? 0 : ids.indexOf(active);
  const [focusWanted, setFocusWanted] = useState<FocusRequest | null>(() => {
    const id = debateInHash();
    return id === null ? null : { id };
  });

  const select = useCallback((id: string | null) => {
    if (id === null) return;
    setChosen(id);
    setFocusWanted({ id });
  }, []);

  // A notification, or Back, leads to a card.
  useEffect(
    () =>
      subscribe(() => {
        const id = debateInHash();
        if (id !== null) select(id);
      }),
    [select],
  );

  // The card of a debate that was ruled on is gone: the next one takes its place, and the focus if the card had it.
  useEffect(() => {
    former.current = ids;
    if (active === chosen) return;
    setChosen(active);
    const focusWasLost = document.activeElement === document.body || document.activeElement === null;
    // The next card begins where the former one began, so that the person reads on.
    if (chosen !== null && active !== null && focusWasLost) setFocusWanted({ id: active, atTop: true });
  });
  useInboxPlace(page, active, most);
  useStillText(page);

  // What could not be fetched while the server was away.
  useEffect(() => {
    if (connection !== 'live') return;
    void pageQueries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [connection]);

  const ignoreAfterMove = useClicksAfterMove(ids, 'form button');

  useShortcuts({
    j: () => select(neighbour(ids, active, 1)),
    k: () => select(neighbour(ids, active, -1)),
    o: () => active !== null && navigate(debatePath(active)),
  });

  const empty = dueLoaded && cards.length === 0;
  const first = empty && loaded && debates.size === 0 && snapshot.total === 0;
  return (
    <QueryClientProvider client={pageQueries}>
      <div ref={page} className="min-h-0 flex-1 above-bar overflow-y-auto" data-inbox>
        <div className="mx-auto flex min-h-full max-w-[52rem] flex-col px-3 py-4 sm:px-6 sm:py-6">
          <header className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1 px-1">
            <h1 className="text-xl font-semibold tracking-tight">{t('inbox.title')}</h1>
            <p
              role="status"
              className="text-sm min-h-5 text-muted-foreground max-md:order-last max-md:w-full"
            >
              {dueLoaded &&
                (cards.length === 0 ? t('inbox.none') : t('inbox.count', { n: cards.length + dueBeyond }))}
            </p>
            {connection === 'reconnecting' && <ConnectionBadge connection={connection} />}
            <ButtonLink size="sm" href={LIST_PATH} className="ml-auto self-center md:hidden">
              <List aria-hidden />
              {t('inbox.all')}
            </ButtonLink>
          </header>
          {empty && (
            <Notice icon={Inbox} title={t(first ? 'inbox.first' : 'inbox.empty')}>
              <p className="text-sm text-balance text-muted-foreground">
                {t(first ? 'inbox.first.text' : 'inbox.empty.text')}
              </p>
              <ButtonLink variant="primary" href={NEW_PATH}>
                <Plus aria-hidden />
                {t('start.title')}
              </ButtonLink>
            </Notice>
          )}
          {!dueLoaded && snapshot.failure === null && <TextSkeleton />}
          {!dueLoaded && snapshot.failure !== null && (
            <Notice icon={TriangleAlert} title={t('documents.failed')} text={t.failure(snapshot.failure)}>
              <Button onClick={onRetry}>{t('failed.retry')}</Button>
            </Notice>
          )}
          <ol
            aria-label={t('inbox.list')}
            onClickCapture={ignoreAfterMove}
            className="grid grid-cols-1 gap-3"
          >
            {shown.map((debate, index) => (
              <InboxCard
                key={debate.id}
                debate={debate}
                active={debate.id === active}
                beside={Math.abs(index - place) <= 1}
                focusRequest={focusWanted?.id === debate.id ? focusWanted : null}
                onSelect={select}
              />
            ))}
          </ol>
          {cards.length > shown.length && (
            <Button size="sm" className="mx-auto mt-4" onClick={() => setMost(most + PAGE)}>
              {t('list.more')}
            </Button>
          )}
          {dueBeyond > 0 && cards.length > 0 && shown.length === cards.length && (
            <p className="mt-4 text-center text-sm text-muted-foreground">
              {t('inbox.beyond', { n: dueBeyond })}
            </p>
          )}
        </div>
      </div>
    </QueryClientProvider>
  );
}
