import { diffArrays } from 'diff';
import { type ChangedWords, changedWords, type Span } from '@/documents/changes/words';
import type { LineRange } from './lineRanges';

/** A paragraph, heading, list item, table or block of code, with its lines in the document. */
export interface Block extends LineRange {
  text: string;
}

/** A block of both versions, or of one of them, with the words that changed in it. */
export interface BlockChange {
  kind: 'same' | 'removed' | 'added';
  block: Block;
  words: readonly Span[];
}

export type BlockComparison = { kind: 'blocks'; changes: readonly BlockChange[] } | { kind: 'tooLarge' };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^#{1,6}[ \t]/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const TIMEOUT_MS = 3_000;
const MAX_BLOCKS = 4_000;
const MAX_WORDS_LENGTH = 4_000;
/** Blocks with a smaller common part are shown as replaced. */
const MIN_COMMON_RATIO = 0.35;

/** Splits markdown at blank lines, headings and list items of the first level, but not within blocks of code. */
export function blocksOf(content: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let from = 1;
  let fence: string | null = null;
  let inItem = false;
  let blank = false;

  function end(next: number): void {
    while (lines.at(-1)?.trim() === '') lines.pop();
    if (lines.length > 0) blocks.push({ text: lines.join('\n'), from, to: from + lines.length - 1 });
    lines = [];
    from = next;
  }

  for (const [index, raw] of content.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    const number = index + 1;
    if (fence !== null) {
      lines.push(line);
      if (line.trim().startsWith(fence) && line.trim().replaceAll(fence.charAt(0), '') === '') fence = null;
      continue;
    }
    const empty = line.trim() === '';
    const item = ITEM.test(line);
    // What is indented after a blank line still belongs to a list item.
    const continues = inItem && /^[ \t]/.test(line);
    if (item || HEADING.test(line) || (blank && !empty && !continues)) {
      end(number);
      inItem = item;
    }
    if (lines.length === 0) from = number;
    if (!empty || lines.length > 0) lines.push(line);
    if (HEADING.test(line)) end(number + 1);
    fence = FENCE.exec(line)?.[1] ?? null;
    blank = empty;
  }
  end(1);
  return blocks;
}

export function compareBlocks(before: string, after: string): BlockComparison {
  const left = blocksOf(before);
  const right = blocksOf(after);
  if (Math.max(left.length, right.length) > MAX_BLOCKS) return { kind: 'tooLarge' };
  const parts = diffArrays(left, right, {
    comparator: (a, b) => a.text === b.text,
    timeout: TIMEOUT_MS,
  });
  if (parts === undefined) return { kind: 'tooLarge' };

  const changes: BlockChange[] = [];
  let removed: Block[] = [];
  let added: Block[] = [];
  function flush(): void {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [old, now] = [removed[index], added[index]];
      const words = old && now ? wordsIn(old.text, now.text) : NO_WORDS;
      if (old) changes.push({ kind: 'removed', block: old, words: words.left });
      if (now) changes.push({ kind: 'added', block: now, words: words.right });
    }
    removed = [];
    added = [];
  }
  for (const part of parts) {
    if (part.removed) removed = removed.concat(part.value);
    else if (part.added) added = added.concat(part.value);
    else {
      flush();
      changes.push(...part.value.map((block): BlockChange => ({ kind: 'same', block, words: [] })));
    }
  }
  flush();
  return { kind: 'blocks', changes: withNewLines(changes, right) };
}

/** The comparison returns unchanged blocks of the former version: their lines in the new one are shown. */
function withNewLines(changes: readonly BlockChange[], right: readonly Block[]): BlockChange[] {
  let next = 0;
  return changes.map((change) => {
    if (change.kind === 'removed') return change;
    const block = right[next] ?? change.block;
    next += 1;
    return { ...change, block };
  });
}

const NO_WORDS: ChangedWords = { left: [], right: [] };

function wordsIn(before: string, after: string): ChangedWords {
  if (Math.max(before.length, after.length) > MAX_WORDS_LENGTH) return NO_WORDS;
  return changedWords(before, after, MIN_COMMON_RATIO) ?? NO_WORDS;
}
