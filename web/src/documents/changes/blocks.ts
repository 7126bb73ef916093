import type { Nodes } from 'mdast';
import { parseMarkdown } from '@/markdown/parseMarkdown';
import { align, type Comparison, compare, type Row } from './compare';
import type { LineRange } from './lineRange';
import { type ChangedWords, changedWords, type Span } from './words';

/** A block of the first level of a document, or an item of a list of the first level, with its lines. */
export interface Block extends LineRange {
  text: string;
  /** Where its text begins in the document. */
  start: number;
  type: Nodes['type'];
  /** What is seen of it when it is rendered. */
  visible: string;
}

export type BlockChange =
  /** `rewritten` where the block has little in common with the one that it took the place of. */
  | { kind: 'same' | 'removed' | 'added'; block: LineRange; heading?: true; rewritten?: true }
  /** A block in which rendered text would not show what changed, by lines of its source. */
  | { kind: 'rows'; left: LineRange | null; right: LineRange | null; rows: readonly Row[]; table?: true };

export type BlockComparison =
  | {
      kind: 'blocks';
      changes: readonly BlockChange[];
      /** The words that changed, by their places in the former and in the new document. */
      removed: readonly Span[];
      added: readonly Span[];
    }
  | { kind: 'same' };

const TIMEOUT_MS = 3_000;
const MAX_BLOCKS = 4_000;
/** In characters: a longer document takes too long to parse, and is compared by its lines. */
const MAX_LENGTH = 150_000;
const MAX_WORDS_LENGTH = 4_000;
/** Blocks with a smaller common part are shown as replaced. */
const MIN_COMMON_RATIO = 0.35;
/** Their lines say more than their rendered text with marked words. */
const BY_LINES = new Set<Nodes['type']>([
  'code',
  'table',
  'html',
  'yaml',
  'definition',
  'footnoteDefinition',
]);

export function blocksOf(content: string): Block[] {
  const nodes = parseMarkdown(content).children.flatMap((node): Nodes[] =>
    node.type === 'list' ? node.children : [node],
  );
  return nodes.flatMap(({ ...node }) => {
    if (node.position === undefined) return [];
    const { start, end } = node.position;
    const [from, to] = [start.offset ?? 0, end.offset ?? 0];
    return {
      text: content.slice(from, to),
      start: from,
      from: start.line,
      to: end.line,
      type: node.type,
      visible: visibleText(node),
    };
  });
}

function visibleText(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(visibleText).join('') : '';
}

/** Compares by blocks, or by lines if there is too much for that. */
export function compareBlocks(before: string, after: string): BlockComparison | Comparison {
  if (before === after) return { kind: 'same' };
  if (Math.max(before.length, after.length) > MAX_LENGTH) return compare(before, after);
  const left = blocksOf(before);
  const right = blocksOf(after);
  if (Math.max(left.length, right.length) > MAX_BLOCKS) return compare(before, after);
  const pairs = align(left, right, TIMEOUT_MS);
  if (pairs === null) return compare(before, after);

  const changes: BlockChange[] = [];
  const spans: { removed: Span[]; added: Span[] } = { removed: [], added: [] };
  for (const { same, left: old, right: now } of pairs) {
    const rows = same ? null : rowsIn(old, now);
    const heading = now?.type === 'heading' && { heading: true as const };
    if (same && now) changes.push({ kind: 'same', block: linesOf(now), ...heading });
    else if (rows !== null)
      changes.push({
        kind: 'rows',
        left: old && linesOf(old),
        right: now && linesOf(now),
        rows,
        ...(now?.type === 'table' && { table: true as const }),
      });
    else {
      const found = old && now ? wordsIn(old.text, now.text) : NO_WORDS;
      const words = found ?? { left: [[0, old?.text.length ?? 0]], right: [[0, now?.text.length ?? 0]] };
      if (old) changes.push({ kind: 'removed', block: linesOf(old) });
      if (now)
        changes.push({
          kind: 'added',
          block: linesOf(now),
          ...(found === null && { rewritten: true as const }),
        });
      spans.removed.push(...placed(words.left, old));
      spans.added.push(...placed(words.right, now));
    }
  }
  return { kind: 'blocks', changes, ...spans };
}

/** The lines that changed between two blocks, if these show more than the rendered text. */
function rowsIn(old: Block | null, now: Block | null): readonly Row[] | null {
  const unseen = (old?.visible ?? '') === (now?.visible ?? '');
  const byLines = old !== null && now !== null && old.type === now.type && BY_LINES.has(now.type);
  if (!unseen && !byLines) return null;
  const compared = compare(old === null ? '' : `${old.text}\n`, now === null ? '' : `${now.text}\n`);
  if (compared.kind !== 'rows') return null;
  return compared.rows.map(({ same, left, right }) => ({
    same,
    left: left && { ...left, number: left.number + (old?.from ?? 1) - 1 },
    right: right && { ...right, number: right.number + (now?.from ?? 1) - 1 },
  }));
}

const linesOf = ({ from, to }: Block): LineRange => ({ from, to });

const NO_WORDS: ChangedWords = { left: [], right: [] };

/** Null if too little is left of the former one to say what changed in it. */
function wordsIn(before: string, after: string): ChangedWords | null {
  if (Math.max(before.length, after.length) > MAX_WORDS_LENGTH) return NO_WORDS;
  return changedWords(before, after, MIN_COMMON_RATIO);
}

function placed(spans: readonly Span[], block: Block | null): Span[] {
  return spans.map(([from, to]) => [from + (block?.start ?? 0), to + (block?.start ?? 0)] as const);
}
