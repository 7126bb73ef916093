import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { VList, type VListHandle } from 'virtua';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { PRESSABLE } from '@/ui/pressable';
import { IssueItem } from './IssueItem';
import type { FocusRequest } from './useIssuesPanel';
import { type LedgerSource, useLedger } from './useLedger';

/** An issue that is scrolled to is rendered, measured and made visible within a few frames. */
const MOST_FRAMES = 30;
/** Without an estimate the list renders dozens of issues to measure them. */
const ESTIMATED_ISSUE_PX = 120;

interface IssueListProps {
  source: LedgerSource;
  issues: readonly Issue[];
  request: FocusRequest | null;
  onJump: (seq: number) => void;
}

/** The issues that match the filter. Only those in view are rendered. */
export function IssueList({ source, issues, request, onJump }: IssueListProps) {
  const t = useT();
  const list = useRef<VListHandle>(null);
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  const focused = useRef<string | null>(null);
  const [active, setActive] = useState({ id: '', index: 0 });
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const ledger = useLedger(source, expanded.size > 0);
  const [highlighted, setHighlighted] = useState<string | null>(null);

  // If the active issue is no longer listed, the one that took its place is active.
  const found = issues.findIndex(({ id }) => id === active.id);
  const activeIndex = found >= 0 ? found : Math.min(active.index, issues.length - 1);

  // The focused issue stays rendered until the active one has the focus, else keys in between would go to the debate.
  const focusedIndex = issues.findIndex(({ id }) => id === focused.current);

  const focus = useCallback(
    (index: number) => {
      const issue = issues[index];
      if (issue === undefined) return;
      setActive({ id: issue.id, index });
      list.current?.scrollToIndex(index, { align: 'nearest' });
      wanted.current = issue.id;
      focusWhenRendered(frame, wanted);
    },
    [issues],
  );

  // A request for an issue that is not loaded yet, or filtered out, is answered when it is listed.
  const answered = useRef<FocusRequest | null>(null);
  useEffect(() => {
    if (request === null || request === answered.current) return;
    const index = request.id === null ? activeIndex : issues.findIndex(({ id }) => id === request.id);
    if (index < 0) return;
    answered.current = request;
    focus(index);
    setHighlighted(request.id);
  }, [request, issues, activeIndex, focus]);

  // The focus must not be lost if the focused issue no longer matches the filter.
  useLayoutEffect(() => {
    const lost = focused.current !== null && issues.every(({ id }) => id !== focused.current);
    if (!lost) return;
    focused.current = null;
    focus(activeIndex);
  }, [issues, activeIndex, focus]);

  const toggle = useCallback((id: string) => {
    setExpanded((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);

  function onFocus(event: FocusEvent) {
    const id = event.target.closest<HTMLElement>('[data-issue]')?.dataset.issue;
    if (id === undefined) return;
    wanted.current = null;
    focused.current = id;
    setActive({ id, index: issues.findIndex((issue) => issue.id === id) });
  }

  function onBlur(event: FocusEvent) {
    if (event.relatedTarget !== null) focused.current = null;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = indexAfterKey(event.key, activeIndex, issues.length);
    if (next === null && event.key !== 'h') return;
    event.preventDefault();
    if (next !== null) focus(next);
    else toggle(issues[activeIndex]?.id ?? '');
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the links in it
    <div
      ref={frame}
      className="min-h-0 flex-1 low:h-[75dvh] low:flex-none"
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      onAnimationEnd={() => setHighlighted(null)}
    >
      <VList
        ref={list}
        data={issues}
        itemSize={ESTIMATED_ISSUE_PX}
        keepMounted={[activeIndex, focusedIndex].filter((index) => index >= 0)}
        role="list"
        aria-label={t('issues.list')}
        className={cn('py-1.5', PRESSABLE)}
      >
        {(issue: Issue, index: number) => (
          <IssueItem
            key={issue.id}
            issue={issue}
            debateId={source.debate.id}
            position={index + 1}
            count={issues.length}
            active={index === activeIndex}
            highlighted={highlighted === issue.id}
            ledger={expanded.has(issue.id) ? ledger : null}
            onJump={onJump}
            onToggle={toggle}
          />
        )}
      </VList>
    </div>
  );
}

/** Moves the focus to the wanted issue as soon as it is rendered, unless something else gets it before. */
function focusWhenRendered(
  frame: RefObject<HTMLElement | null>,
  wanted: RefObject<string | null>,
  frames = MOST_FRAMES,
): void {
  const id = wanted.current;
  if (id === null) return;
  const link = frame.current?.querySelector<HTMLElement>(`[data-issue="${id}"] [data-focus]`);
  link?.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusWhenRendered(frame, wanted, frames - 1));
}

/** The index that a key moves to in a list of `count` items; null if the key does not move. */
export function indexAfterKey(key: string, index: number, count: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: index + 1,
    j: index + 1,
    ArrowUp: index - 1,
    k: index - 1,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? null : Math.max(0, Math.min(target, count - 1));
}
