import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { LineRange } from '@/documents/changes/lineRange';
import { overlap } from './lineRanges';

const UNIT = '[data-lines]';
/** The width of the line numbers of raw text. */
const NUMBERS_PX = 64;
const SELECTION_PAUSE_MS = 120;
/** How long the second press of a double one may take. */
const DOUBLE_PRESS_MS = 1_000;
/** How far the keys move the selection. */
const STEPS = new Map([
  ...['j', 'J', 'ArrowDown'].map((key) => [key, 1] as const),
  ...['k', 'K', 'ArrowUp'].map((key) => [key, -1] as const),
]);

/** Lines of the version that is shown or, in changes, of the former one: those of an element, or those selected. */
export interface Selection extends LineRange {
  old: boolean;
}

/**
 * Selects lines of a text with the mouse, by touch or with the keyboard. Every element with `data-lines` can be
 * selected. Elements are marked outside React, since a document may have thousands.
 */
export function useLineSelection(
  region: RefObject<HTMLElement | null>,
  enabled: boolean,
  /** Lines that are marked as commented. */
  commented: readonly Selection[],
  /** Drops the selection when it changes. */
  contentKey: string,
) {
  const [selection, setSelection] = useState<Selection | null>(null);
  /** The lines of the one element that is selected, of which single ones may be selected. */
  const [unitLines, setUnitLines] = useState<LineRange | null>(null);
  const anchor = useRef<Element | null>(null);
  const cursor = useRef<Element | null>(null);
  const [hovered, setHovered] = useState<Element | null>(null);
  const droppedAt = useRef(Number.NEGATIVE_INFINITY);
  /** Drops the selection, but not the place from which the keys go on. */
  const drop = () => {
    droppedAt.current = performance.now();
    getSelection()?.removeAllRanges();
    setSelection(null);
  };
  const clear = useCallback(() => {
    anchor.current = null;
    cursor.current = null;
    setSelection(null);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new content
  useEffect(clear, [contentKey, clear]);

  const select = useCallback(
    (from: Element, to: Element) => {
      const all = unitsIn(region.current);
      const [first, last] = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b);
      if (first === undefined || last === undefined || first < 0) return;
      anchor.current = from;
      cursor.current = to;
      setSelection(selectionOf(all.slice(first, last + 1).flatMap((unit) => unitOf(unit) ?? [])));
      setUnitLines(from === to ? unitOf(to) : null);
    },
    [region],
  );

  useEffect(() => {
    const mark = () => {
      for (const element of unitsIn(region.current)) {
        const unit = unitOf(element);
        const selected = unit !== null && selection !== null && isIn(unit, selection);
        element.toggleAttribute('data-selected', selected);
        element.toggleAttribute('data-commented', unit !== null && commented.some((one) => isIn(unit, one)));
      }
    };
    mark();
    if (region.current === null) return;
    // Long texts are rendered in steps.
    const observer = new MutationObserver(mark);
    observer.observe(region.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [region, selection, commented]);

  // A selection of text, which every browser has for the mouse and for touch, selects its lines.
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout>;
    function onSelectionChange() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const [first, ...others] = unitsOfText(region.current);
        if (first) select(first, others.at(-1) ?? first);
      }, SELECTION_PAUSE_MS);
    }
    document.addEventListener('selectionchange', onSelectionChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', onSelectionChange);
    };
  }, [enabled, region, select]);

  /** The second press of a double one was meant for what stood here before: it selects nothing, and follows no link. */
  function onMouseCapture(event: MouseEvent) {
    if (event.detail < 2 || performance.now() - droppedAt.current > DOUBLE_PRESS_MS) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPointerMove(event: PointerEvent) {
    if (event.pointerType !== 'mouse' || !(event.target instanceof Element)) return;
    const unit = event.target.closest(UNIT);
    // Over the button itself the lines stay.
    if (unit !== null) setHovered(unit);
  }

  /** The lines under the mouse, or to which the keyboard moved: what the button beside them comments on. */
  function commentButton() {
    const unit = connected(hovered);
    const lines = unit === null ? null : unitOf(unit);
    if (!enabled || unit === null || lines === null || region.current === null) return null;
    const { top } = region.current.getBoundingClientRect();
    const place = unit.getBoundingClientRect();
    // Lines that are selected already stay selected.
    const isSelected = selection !== null && isIn(lines, selection);
    return {
      top: place.top - top + region.current.scrollTop,
      height: place.height,
      // On line numbers, which select lines, it is at their right.
      numbered: unit.closest('.raw-text') !== null || unit.querySelector('td.number') !== null,
      lines: isSelected ? selection : lines,
      select: () => {
        if (!isSelected) select(unit, unit);
      },
    };
  }

  function onPointerDown(event: PointerEvent) {
    const unit = event.target instanceof Element ? event.target.closest(UNIT) : null;
    if (!enabled || event.button !== 0 || unit === null || !isOnNumbers(event, unit)) return;
    // A drag over line numbers selects lines, not text. A second touch extends the selection.
    if (event.pointerType === 'mouse') event.preventDefault();
    getSelection()?.removeAllRanges();
    const extend = event.shiftKey || (event.pointerType === 'touch' && selection !== null);
    const from = (extend ? connected(anchor.current) : null) ?? unit;
    select(from, unit);
    const drag = new AbortController();
    const onMove = (move: globalThis.PointerEvent) => {
      const over = document.elementFromPoint(move.clientX, move.clientY)?.closest(UNIT);
      if (over && region.current?.contains(over)) select(from, over);
    };
    window.addEventListener('pointermove', onMove, { signal: drag.signal });
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, () => drag.abort(), { signal: drag.signal });
  }

  function onClick(event: MouseEvent) {
    if (!enabled || !(event.target instanceof Element) || event.target.closest('a, button')) return;
    const unit = event.target.closest(UNIT);
    if (getSelection()?.isCollapsed === false || (unit !== null && isOnNumbers(event, unit))) return;
    // The second click of a double one selects a word.
    if (event.detail > 1) return;
    const selected =
      unit !== null && selection !== null && anchor.current === unit && cursor.current === unit;
    if (unit === null || selected) clear();
    else select(unit, unit);
  }

  function move(by: number, extend: boolean) {
    const all = unitsIn(region.current);
    const at = connected(cursor.current);
    const index = at === null ? firstInView(all, region.current) : all.indexOf(at) + by;
    const next = all[Math.max(0, Math.min(index, all.length - 1))];
    if (!(next instanceof HTMLElement)) return;
    getSelection()?.removeAllRanges();
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
    select((extend ? connected(anchor.current) : null) ?? next, next);
    setHovered(next);
  }

  /** Handles the keys that move and extend the selection. */
  function onKeyDown(event: KeyboardEvent) {
    if (!enabled || event.ctrlKey || event.metaKey || event.altKey) return;
    // Without a selection the arrow keys scroll.
    if (selection === null && event.key.startsWith('Arrow')) return;
    const by = STEPS.get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    move(by, event.shiftKey);
  }

  const onPointerLeave = () => setHovered(null);
  const selectLines = (lines: LineRange) => {
    // A text that is still selected would select its lines again.
    getSelection()?.removeAllRanges();
    setSelection(selection && { ...selection, ...lines });
  };
  return {
    selection,
    unitLines,
    selectLines,
    clear,
    drop,
    commentButton: commentButton(),
    onMouseCapture,
    onPointerMove,
    onPointerLeave,
    onPointerDown,
    onClick,
    onKeyDown,
  };
}

function unitsIn(region: Element | null): Element[] {
  return Array.from(region?.querySelectorAll(UNIT) ?? []);
}

function connected(element: Element | null): Element | null {
  return element?.isConnected ? element : null;
}

function unitOf(element: Element): Selection | null {
  const lines = element instanceof HTMLElement ? parseLines(element.dataset.lines) : null;
  return lines === null ? null : { ...lines, old: element.closest('[data-old]') !== null };
}

function isIn(unit: Selection, lines: Selection): boolean {
  return unit.old === lines.old && overlap(unit, lines);
}

function isOnNumbers(event: { target: EventTarget; clientX: number }, unit: Element): boolean {
  if (event.target instanceof Element && event.target.closest('td.number')) return true;
  const numbered = unit.tagName === 'P' && unit.closest('.raw-text') !== null;
  return numbered && event.clientX - unit.getBoundingClientRect().left < NUMBERS_PX;
}

function firstInView(all: readonly Element[], region: Element | null): number {
  const top = region?.getBoundingClientRect().top ?? 0;
  const index = all.findIndex((unit) => unit.getBoundingClientRect().bottom > top + 8);
  return Math.max(index, 0);
}

/** The elements that a selection of text touches. */
function unitsOfText(region: Element | null): Element[] {
  const selected = getSelection();
  if (!selected || selected.isCollapsed || selected.rangeCount === 0) return [];
  const range = selected.getRangeAt(0);
  if (!region?.contains(range.commonAncestorContainer)) return [];
  return unitsIn(region).filter((unit) => touches(range, unit));
}

/** Whether some of the element's text is selected: a selection of whole paragraphs ends at the start of the next. */
function touches(range: Range, unit: Element): boolean {
  if (!range.intersectsNode(unit)) return false;
  const part = document.createRange();
  part.selectNodeContents(unit);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0)
    part.setEnd(range.endContainer, range.endOffset);
  return part.toString().trim() !== '';
}

/** The lines of several units. Removed lines count only if nothing else is selected. */
export function selectionOf(units: readonly Selection[]): Selection | null {
  const current = units.filter(({ old }) => !old);
  const selected = current.length > 0 ? current : units;
  if (selected.length === 0) return null;
  return {
    from: Math.min(...selected.map(({ from }) => from)),
    to: Math.max(...selected.map(({ to }) => to)),
    old: current.length === 0,
  };
}

/** Reads `data-lines="12-18"`. */
export function parseLines(text: string | undefined): LineRange | null {
  const match = /^(\d+)-(\d+)$/.exec(text ?? '');
  return match === null ? null : { from: Number(match[1]), to: Number(match[2]) };
}
