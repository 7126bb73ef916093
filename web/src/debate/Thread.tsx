import { ArrowDown, ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { useT } from '@/i18n';
import { foundWords, isTypedIn, partsOf } from '@/lib/foundWords';
import { seqInHash } from '@/lib/router';
import { useShortcuts } from '@/lib/useShortcuts';
import { startParser } from '@/markdown/parse';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { PRESSABLE } from '@/ui/pressable';
import { ArgumentCard } from './ArgumentCard';
import { preview } from './ArgumentText';
import type { DebateStore } from './debateStore';
import { atEnd, type DebateView } from './debateView';
import { type Fold, hides, isFold, type Row, rowOf, rowsOf, toggled } from './folding';

/** The next page is fetched at this distance from the edge. */
const PREFETCH_PX = 1200;
/** Without an estimate the list renders dozens of cards to measure them. */
const ESTIMATED_CARD_PX = 420;
const NEAR_END_PX = 80;
const HIGHLIGHT_MS = 1900;
/** With so many arguments loaded, earlier ones are fetched only for somebody who opens the fold above. */
const ENOUGH_FOLDED = 240;
/** For this long after a scroll to the end, the list still measures its cards and moves on its own. */
const SETTLING_MS = 500;
/** How long it takes until the first cards are measured and stand at their places. */
const FRAMES_TO_PLACE = 4;

interface ThreadProps {
  store: DebateStore;
  view: DebateView;
  paging: 'older' | 'newer' | null;
  /** Where to scroll: a new object for each jump, even to the same argument. */
  target: { seq: number } | null;
  onJump: (seq: number) => void;
}

startParser();

export function Thread({ store, view, paging, target, onJump }: ThreadProps) {
  const t = useT();
  const list = useRef<VListHandle>(null);
  const frame = useRef<HTMLDivElement>(null);
  /** Whether the list that replaces this one takes the focus. */
  const focusNext = useRef(false);
  const stickToEnd = useRef(true);
  const settlingUntil = useRef(0);
  const [scrolledAway, setScrolledAway] = useState(false);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [readTo, setReadTo] = useState(view.last.seq);
  const { motion, items, last, issues } = view;
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(() => new Set([seqInHash() ?? 0]));
  const rows = useMemo(() => rowsOf({ items, last, issues }, unfolded), [items, last, issues, unfolded]);
  const seqs = useMemo(() => new Map([motion, ...items].map(({ id, seq }) => [id, seq])), [items, motion]);
  const bySeq = useMemo(() => new Map(items.map((item) => [item.seq, item])), [items]);
  const chosenOf = useMemo(
    () => new Map(items.flatMap(({ chosen }) => (chosen ? [[chosen.seq, chosen.number] as const] : []))),
    [items],
  );

  function scrollToEnd() {
    settlingUntil.current = performance.now() + SETTLING_MS;
    // It takes a number beyond the last one for the last one, which may have changed since this was rendered.
    list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: 'end' });
  }

  function onScroll() {
    const handle = list.current;
    if (handle === null) return;
    const below = handle.scrollSize - handle.scrollOffset - handle.viewportSize;
    const isAtEnd = below < NEAR_END_PX && atEnd(view);
    if (isAtEnd || performance.now() > settlingUntil.current) stickToEnd.current = isAtEnd;
    setScrolledAway(!stickToEnd.current);
    if (stickToEnd.current) setReadTo(last.seq);
    const folded = items.length >= ENOUGH_FOLDED && startsFolded(rows);
    if (handle.scrollOffset < PREFETCH_PX && !folded) void store.loadPage('older');
    if (below < PREFETCH_PX) void store.loadPage('newer');
  }

  // While its cards are measured, the list moves on its own: it is not seen until then.
  const [placed, setPlaced] = useState(false);
  useEffect(() => {
    let frames = FRAMES_TO_PLACE;
    let frame = requestAnimationFrame(function next() {
      frames -= 1;
      if (frames === 0) setPlaced(true);
      else frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  // A replaced window is a new list: it starts at the target, or at the newest argument.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each epoch
  useLayoutEffect(() => {
    const seq = target?.seq ?? seqInHash();
    const index = seq === null ? -1 : rowOf(rows, seq);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: -12 });
    else scrollToEnd();
    if (focusNext.current) focusList();
    focusNext.current = false;
  }, [view.epoch]);

  const jumpedTo = useRef<ThreadProps['target']>(null);
  useLayoutEffect(() => {
    if (target === null || jumpedTo.current === target) return;
    const index = rowOf(rows, target.seq);
    if (index < 0) return;
    if (hides(rows[index], target.seq)) {
      setUnfolded((before) => new Set([...before, target.seq]));
      return;
    }
    jumpedTo.current = target;
    stickToEnd.current = false;
    list.current?.scrollToIndex(index, { align: 'start', offset: -12 });
    setHighlighted(target.seq);
    const row = rows[index];
    const found = foundWords.get();
    if (row === undefined || isFold(row) || found?.debateId !== row.debate_id || found.place !== row.seq)
      return;
    // What was searched for is not left in the part that is folded away.
    const seen = preview(row.content);
    const isSeen = isTypedIn(row.content, found.words)
      ? isTypedIn(seen, found.words)
      : partsOf(seen, found.words).some((part) => part.found);
    if (!isSeen) {
      setExpanded((before) => new Set([...before, row.id]));
    }
  }, [target, rows]);

  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);

  const newest = items.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new argument
  useLayoutEffect(() => {
    if (stickToEnd.current) scrollToEnd();
  }, [newest]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may be too short to fill the screen
  useEffect(() => onScroll(), [items.length]);

  // Keeps the end in view when cards or the action bar change their height.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each epoch has a new list to observe
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (stickToEnd.current) scrollToEnd();
    });
    observer.observe(element);
    const content = element.querySelector('.thread > *');
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [view.epoch]);

  // Once the user scrolls, nothing else moves the list.
  function onUserScroll() {
    settlingUntil.current = 0;
  }

  const toggle = useCallback((id: string) => {
    // An expanded card is read from its beginning.
    stickToEnd.current = false;
    setExpanded((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);

  function toggleFold(fold: Fold) {
    stickToEnd.current = false;
    setUnfolded((before) => toggled(before, fold));
  }

  function goToNewest() {
    if (atEnd(view)) {
      stickToEnd.current = true;
      scrollToEnd();
    } else onJump(last.seq);
  }

  function focusList() {
    frame.current?.querySelector<HTMLElement>('.thread')?.focus({ preventScroll: true });
  }

  /** The button goes with what it was for. */
  function leaveForNewest() {
    focusList();
    focusNext.current = !atEnd(view);
    goToNewest();
  }

  useShortcuts({ e: goToNewest, m: () => onJump(1) });

  const unread = Math.max(0, last.seq - readTo);
  return (
    <div ref={frame} className="relative flex min-h-0 flex-1 flex-col">
      {paging === 'older' && (
        <p role="status" className="absolute inset-x-0 top-2 z-10 flex justify-center">
          <span className="rounded-full border bg-card px-3 py-1 text-xs text-muted-foreground shadow-subtle">
            {t('thread.older')}
          </span>
        </p>
      )}
      <VList
        key={view.epoch}
        ref={list}
        data={rows}
        shift={view.prepended}
        bufferSize={600}
        itemSize={ESTIMATED_CARD_PX}
        onScroll={onScroll}
        onWheel={onUserScroll}
        onTouchMove={onUserScroll}
        onPointerDown={onUserScroll}
        onKeyDown={onUserScroll}
        role="region"
        aria-label={t('thread.label')}
        tabIndex={0}
        className={cn('thread min-h-0 flex-1 outline-offset-[-2px]', PRESSABLE, !placed && 'invisible')}
      >
        {(row: Row) => (
          <div
            key={isFold(row) ? `fold-${row.last}` : row.id}
            className="mx-auto max-w-[52rem] px-3 py-2 sm:px-6"
          >
            {isFold(row) ? (
              <FoldRow fold={row} onToggle={toggleFold} />
            ) : (
              <ArgumentCard
                argument={row}
                parentSeq={seqs.get(row.parent_id ?? '') ?? null}
                appeal={bySeq.get(row.chosen?.seq ?? 0)}
                chosen={chosenOf.get(row.seq)}
                expanded={expanded.has(row.id)}
                highlighted={highlighted === row.seq}
                onToggle={toggle}
                onJump={onJump}
              />
            )}
          </div>
        )}
      </VList>
      {placed && scrolledAway && (
        <Button
          size="sm"
          className="my-1.5 shrink-0 self-center rounded-full!"
          onClick={leaveForNewest}
          aria-label={t('thread.newest')}
        >
          <ArrowDown aria-hidden />
          {unread > 0 ? t('thread.new', { n: unread }) : t('thread.newest')}
        </Button>
      )}
    </div>
  );
}

/** Whether the first row, apart from the motion, hides arguments. */
function startsFolded(rows: readonly Row[]): boolean {
  const first = rows.find((row) => isFold(row) || row.type !== 'MOTION');
  return first !== undefined && isFold(first) && !first.open;
}

/** Shows and hides a run of settled arguments. */
function FoldRow({ fold, onToggle }: { fold: Fold; onToggle: (fold: Fold) => void }) {
  const t = useT();
  const { first, last, open } = fold;
  const Icon = open ? ChevronsDownUp : ChevronsUpDown;
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-expanded={open}
      data-fold={`${first}-${last}`}
      className="h-9! w-full border border-dashed border-border"
      onClick={() => onToggle(fold)}
    >
      <Icon aria-hidden />
      <span className="tabular-nums">{t('thread.fold', { n: last - first + 1, first, last })}</span>
      <span aria-hidden className="ml-2 max-sm:hidden">
        {open ? t('thread.fold.close') : t('thread.fold.open')}
      </span>
    </Button>
  );
}
