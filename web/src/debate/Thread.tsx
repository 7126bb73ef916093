import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { questionOf } from '@/ruling/question';
import { useShortcuts } from '@/shell/shortcuts';
import { Button } from '@/ui/button';
import { ArgumentCard } from './ArgumentCard';
import { indexOf, relations } from './relations';
import { seqInHash } from './session';
import { atEnd, type View } from './view';

/** Pages are asked for before the edge is reached. */
const AHEAD_PX = 1200;
/** Without a guess of its own the list draws dozens of cards to find out how high one is. */
const USUAL_CARD_PX = 420;
const NEAR_END_PX = 80;
const FLASH_MS = 1900;
/** So long after going to the end the list still measures and moves by itself. */
const SETTLING_MS = 500;

interface ThreadProps {
  view: View;
  paging: 'older' | 'newer' | null;
  /** Where to go: told anew for each jump, also to the same place. */
  target: { seq: number } | null;
  onJump: (seq: number) => void;
  onOlder: () => void;
  onNewer: () => void;
}

export default function Thread({ view, paging, target, onJump, onOlder, onNewer }: ThreadProps) {
  const t = useT();
  const list = useRef<VListHandle>(null);
  const frame = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const settlingUntil = useRef(0);
  const [away, setAway] = useState(false);
  const [flash, setFlash] = useState<number | null>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [readTo, setReadTo] = useState(view.last.seq);
  const { items } = view;
  const links = useMemo(() => relations(items, view.motion), [items, view.motion]);
  const latest = useRef(view);
  latest.current = view;

  const toEnd = useCallback(() => {
    const count = latest.current.items.length;
    settlingUntil.current = performance.now() + SETTLING_MS;
    if (count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' });
  }, []);

  const onScroll = useCallback(() => {
    const handle = list.current;
    if (handle === null) return;
    const below = handle.scrollSize - handle.scrollOffset - handle.viewportSize;
    const there = below < NEAR_END_PX && atEnd(latest.current);
    if (there || performance.now() > settlingUntil.current) following.current = there;
    setAway(!following.current);
    if (following.current) setReadTo(latest.current.last.seq);
    if (handle.scrollOffset < AHEAD_PX) onOlder();
    if (below < AHEAD_PX) onNewer();
  }, [onOlder, onNewer]);

  // A window that moved elsewhere is a new list: it starts at its target, or at the newest argument.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the epoch is what it depends on
  useLayoutEffect(() => {
    const seq = target?.seq ?? seqInHash();
    const index = seq === null ? -1 : indexOf(latest.current.items, seq);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: -12 });
    else toEnd();
  }, [view.epoch]);

  useLayoutEffect(() => {
    if (target === null) return;
    const index = indexOf(latest.current.items, target.seq);
    if (index < 0) return;
    following.current = false;
    list.current?.scrollToIndex(index, { align: 'start', offset: -12 });
    setFlash(target.seq);
    const timer = setTimeout(() => setFlash(null), FLASH_MS);
    return () => clearTimeout(timer);
  }, [target]);

  const newest = items.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last argument is what it follows
  useLayoutEffect(() => {
    if (following.current) toEnd();
  }, [newest, toEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more items may still not fill the window
  useEffect(() => onScroll(), [items.length, onScroll]);

  // The dock below and the cards grow and shrink: whoever reads the end keeps seeing it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new epoch is a new list to observe
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (following.current) toEnd();
    });
    observer.observe(element);
    const content = element.querySelector('.thread > *');
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [toEnd, view.epoch]);

  // Whoever takes hold of the list leads; it is not ours to move any more.
  const onTaken = useCallback(() => {
    settlingUntil.current = 0;
  }, []);

  const toggle = useCallback((id: string) => {
    // What was unfolded is to be read from where it begins.
    following.current = false;
    setUnfolded((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);

  const goToNewest = useCallback(() => {
    if (atEnd(latest.current)) {
      following.current = true;
      toEnd();
    } else onJump(latest.current.last.seq);
  }, [onJump, toEnd]);

  useShortcuts({ e: goToNewest, m: () => onJump(1) });

  const unread = Math.max(0, view.last.seq - readTo);
  return (
    <div ref={frame} className="relative min-h-0 flex-1">
      {paging === 'older' && (
        <p role="status" className="absolute inset-x-0 top-2 z-10 flex justify-center">
          <span className="rounded-full border bg-surface px-3 py-1 text-xs text-muted shadow-card">
            {t('thread.older')}
          </span>
        </p>
      )}
      <VList
        key={view.epoch}
        ref={list}
        data={items}
        shift={view.prepended}
        bufferSize={600}
        itemSize={USUAL_CARD_PX}
        onScroll={onScroll}
        onWheel={onTaken}
        onTouchMove={onTaken}
        onPointerDown={onTaken}
        onKeyDown={onTaken}
        role="region"
        aria-label={t('thread.label')}
        tabIndex={0}
        className="thread outline-offset-[-2px]"
      >
        {(argument: Argument) => (
          <div key={argument.id} className="mx-auto max-w-[52rem] px-3 py-2 sm:px-6">
            <ArgumentCard
              argument={argument}
              parentSeq={links.parentSeq(argument)}
              appeal={links.appealOf(argument)}
              unfolded={unfolded.has(argument.id)}
              asking={asksNow(view, argument)}
              flashing={flash === argument.seq}
              onToggle={toggle}
              onJump={onJump}
            />
          </div>
        )}
      </VList>
      {away && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            className="pointer-events-auto rounded-full shadow-lift"
            onClick={goToNewest}
            aria-label={t('thread.newest')}
          >
            <ArrowDown aria-hidden />
            {unread > 0 ? t('thread.new', { n: unread }) : t('thread.newest')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What the arbitrator is asked about now. */
function asksNow(view: View, argument: Argument): boolean {
  return argument.id === view.last.id && questionOf(view).kind !== 'intervention';
}
