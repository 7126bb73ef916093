import { useEffect } from 'react';
import { foundWords, isTypedIn, partsOf } from '@/lib/foundWords';
import { useStore } from '@/lib/store';

/** The name of the highlight in the stylesheet. */
const NAME = 'found';
/** For so long the list may still move. */
const SETTLING_FRAMES = 40;

/** Marks the words of the search that led to an argument or an issue of this debate. */
export function useFoundWords(debateId: string): void {
  const found = useStore(foundWords);
  const here = found?.debateId === debateId ? found : null;
  useEffect(() => {
    const page = document.getElementById('debate');
    if (here === null || page === null || !('highlights' in CSS)) return;
    const { place, words } = here;
    const where = typeof place === 'number' ? `[data-seq="${place}"]` : `[data-issue="${place}"]`;
    let frames = SETTLING_FRAMES;
    let frame = 0;
    let first: Range | undefined;
    /** The list shows the beginning of the argument while it measures it; of a long one the words may be far below. */
    const show = () => {
      if (first !== undefined) intoView(first);
      frames -= 1;
      frame = frames > 0 ? requestAnimationFrame(show) : 0;
    };
    const mark = () => {
      const ranges = [...page.querySelectorAll(where)].flatMap((part) => rangesIn(part, words));
      CSS.highlights.set(NAME, new Highlight(...ranges));
      if (ranges[0] !== undefined && first === undefined) frame = requestAnimationFrame(show);
      first = ranges[0] ?? first;
    };
    // Texts are parsed, and cards rendered, when they come into view.
    const observer = new MutationObserver(mark);
    observer.observe(page, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [here]);
  // Whoever comes back later has not searched for it.
  useEffect(
    () => () => {
      if (foundWords.get()?.debateId === debateId) foundWords.set(null);
    },
    [debateId],
  );
}

/** Scrolls to words unless they are seen. */
function intoView(range: Range): void {
  const { left, top, bottom } = range.getBoundingClientRect();
  const seen = document.elementFromPoint(left + 1, (top + bottom) / 2);
  const around = range.startContainer.parentElement;
  if (around?.contains(seen) === false) around.scrollIntoView({ block: 'center' });
}

/** Where the words are in the text of an element. */
function rangesIn(element: Element, words: string): Range[] {
  const ranges: Range[] = [];
  const texts: Node[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  // Where they stand as they were typed, they are not looked for one by one elsewhere.
  const isTyped = texts.some(({ nodeValue }) => isTypedIn(nodeValue ?? '', words));
  for (const node of texts) {
    if (isTyped && !isTypedIn(node.nodeValue ?? '', words)) continue;
    for (const { part, found, at } of partsOf(node.nodeValue ?? '', words)) {
      if (!found) continue;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + part.length);
      ranges.push(range);
    }
  }
  return ranges;
}
