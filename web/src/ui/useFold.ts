import { type CSSProperties, type FocusEvent, useLayoutEffect, useRef, useState } from 'react';
import { countWords, nearest, sentenceEnds } from '@/lib/sentences';
import { cn } from './cn';

/** So many lines are not worth a fold. */
const FEW_LINES = 3;
const FEW_WORDS = 6;
/** What ends where a sentence may, and no line of which goes on in the next one. */
const BLOCK = 'p, li, pre, tr, h1, h2, h3, h4, h5, h6, div, ul';
/** What is shown whole, or not at all. */
const UNBROKEN = 'pre, tr';
const HEADING = 'h1, h2, h3, h4, h5, h6';

/** How a text is folded: not at all, since nothing or little would be left, or after so much of it. */
type Fold = 'none' | 'few' | Cut;

interface Cut {
  /** Of what is shown, in pixels. */
  height: number;
  /** Where its last line begins, and what of that line is shown; null where all of it is, and fades. */
  last: Pick<End, 'top' | 'left' | 'right' | 'letter'> | null;
  /** How many words are left. */
  left: number;
}

/**
 * A text of several lines of which the first are shown, to the end of a sentence if one is near. `unshown` is how many words it has
 * that are not there until it is open; null if all are. It opens where the focus, or what the browser finds in it, is not shown.
 */
export function useFold(lines: number, open: boolean, unshown: number | null, onOpen: () => void) {
  const frame = useRef<HTMLDivElement>(null);
  const [fold, setFold] = useState<Fold>('none');
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || open) return;
    let former = '';
    const measure = () => {
      const next = foldOf(element, lines, unshown);
      if (former === JSON.stringify(next)) return;
      former = JSON.stringify(next);
      setFold(next);
    };
    measure();
    const sizes = new ResizeObserver(measure);
    for (const observed of [element, ...element.children]) sizes.observe(observed);
    const content = new MutationObserver(measure);
    content.observe(element, { childList: true, subtree: true });
    return () => {
      sizes.disconnect();
      content.disconnect();
    };
  }, [open, lines, unshown]);
  const cut = typeof fold === 'object' ? fold : null;
  return {
    isCut: cut !== null,
    wordsLeft: cut?.left ?? 0,
    /** Where the dots stand that say that it goes on, from the corner of the frame. */
    dots: !open && cut?.last?.letter !== undefined ? { top: cut.last.top, left: cut.last.letter } : null,
    frame: {
      ref: frame,
      onScroll: () => {
        if (!open) onOpen();
      },
      onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        if (!open && cut !== null && isCutOff(target, cut, currentTarget)) onOpen();
      },
      style: open || fold === 'few' ? undefined : ((cut && styleOf(cut)) ?? { maxHeight: `${lines}lh` }),
      className: cn(
        'leading-(--prose-leading)',
        !open && 'overflow-hidden',
        !open && cut !== null && cut.last === null && 'mask-b-from-[calc(100%-1.2lh)]',
      ),
    },
  };
}

function styleOf({ height, last }: Cut): CSSProperties {
  const maxHeight = `${height}px`;
  if (last === null) return { maxHeight };
  const { top, left, right } = last;
  const below = `${right}px ${top}px, ${right}px ${height}px, ${left}px ${height}px, ${left}px ${top}px`;
  return { maxHeight, clipPath: `polygon(0 0, 100% 0, 100% ${top}px, ${below}, 0 ${top}px)` };
}

/** Whether an element in the frame begins after what is shown. */
function isCutOff(element: Element, { height, last }: Cut, frame: HTMLElement): boolean {
  const { top, left } = frame.getBoundingClientRect();
  const [rect] = element.getClientRects();
  if (rect === undefined) return false;
  const x = (rect.left + rect.right) / 2 - left;
  const y = (rect.top + rect.bottom) / 2 - top + frame.scrollTop;
  return y > height || (last !== null && y > last.top && (x < last.left || x > last.right));
}

function foldOf(element: HTMLElement, lines: number, unshown: number | null): Fold {
  const line = Number.parseFloat(getComputedStyle(element).lineHeight);
  const hidden = element.scrollHeight - lines * line;
  if (unshown === null && hidden <= 4) return 'none';
  if (unshown === null && hidden <= Math.min(FEW_LINES, lines / 2) * line) return 'few';
  const { ends, words } = endsIn(element, line);
  // The text goes on after the last one.
  if (unshown !== null) ends.pop();
  const most = lines * line + 1;
  const end = nearest(ends, most, ({ bottom }) => bottom) ?? ends.findLast(({ bottom }) => bottom <= most);
  const shown = end?.words ?? Math.round(words * Math.min(1, (lines * line) / element.scrollHeight));
  const left = words - shown + (unshown ?? 0);
  // Its last sentence is near enough, or as short as what would say how much is left.
  if (unshown === null && left <= FEW_WORDS && hidden <= FEW_LINES * line) return 'few';
  return end === undefined
    ? { height: lines * line, last: null, left }
    : { height: end.bottom, last: end, left };
}

interface End {
  top: number;
  bottom: number;
  left: number;
  right: number;
  /** Where the last letter ends, from the left; undefined of what has no letters there. */
  letter?: number;
  /** How many words are above it. */
  words: number;
}

/** Where sentences end in the text of an element, and how many words it has. A heading ends none: it belongs to what follows. */
function endsIn(element: HTMLElement, line: number): { ends: End[]; words: number } {
  const { top, left, width } = element.getBoundingClientRect();
  const above = top - element.scrollTop;
  const ends: End[] = [];
  let words = 0;
  for (const [block, nodes] of textsIn(element)) {
    const text = nodes.map(({ data }) => data).join('');
    const whole = { left: 0, right: width };
    if (block.matches(UNBROKEN)) {
      const rect = block.getBoundingClientRect();
      ends.push({ ...whole, top: 0, bottom: rect.bottom - above, words: words + countWords(text) });
    } else if (!block.matches(HEADING)) {
      const isReversed = getComputedStyle(block).direction === 'rtl';
      let counted = words;
      let from = 0;
      for (const place of sentenceEnds(text)) {
        counted += countWords(text.slice(from, place));
        from = place;
        const rect = rectBefore(nodes, place);
        if (rect === undefined) continue;
        const gap = Math.max(0, (line - rect.height) / 2);
        const side = isReversed
          ? { left: rect.left - left, right: width }
          : { left: 0, right: rect.right - left };
        ends.push({
          ...(place === text.trimEnd().length ? whole : side),
          top: rect.top - gap - above,
          bottom: rect.bottom + gap - above,
          // Of a text from right to left the room before it is not known.
          ...(!isReversed && { letter: rect.right - left }),
          words: counted,
        });
      }
    }
    words += countWords(text);
  }
  return { ends, words };
}

/** The texts of an element, each of one block. */
function textsIn(element: HTMLElement): readonly (readonly [Element, Text[]])[] {
  const texts: [Element, Text[]][] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    // What a diagram is made of is no text.
    if (node.parentElement?.closest('svg')) continue;
    const block = node.parentElement?.closest(BLOCK) ?? element;
    const last = texts.at(-1);
    if (last?.[0] === block) last[1].push(node);
    else texts.push([block, [node]]);
  }
  return texts;
}

/** Where the letter before a place stands. */
function rectBefore(nodes: readonly Text[], place: number): DOMRect | undefined {
  let before = 0;
  for (const node of nodes) {
    if (place <= before + node.length) {
      const range = document.createRange();
      range.setStart(node, Math.max(0, place - before - 1));
      range.setEnd(node, place - before);
      return [...range.getClientRects()].at(-1);
    }
    before += node.length;
  }
  return undefined;
}
