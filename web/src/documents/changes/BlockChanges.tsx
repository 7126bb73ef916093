import type { ElementContent, Root } from 'hast';
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import type { DocumentVersion } from '@/api/types';
import { useT } from '@/i18n';
import { DocumentPart } from '@/markdown/DocumentText';
import { useTree } from '@/markdown/Markdown';
import { cn } from '@/ui/cn';
import { TextSkeleton } from '@/ui/Skeleton';
import { isShort, linesOf } from '../content';
import type { BlockChange, BlockComparison } from './blocks';
import { ChangeSteps } from './ChangeSteps';
import { type AnswersAt, countParts, partsOf, useSegments } from './changedParts';
import { ExpandButton } from './ExpandButton';
import { RowChanges } from './RowChanges';
import { TableChanges } from './TableChanges';

/** How many unchanged blocks are shown before and after a change. */
const CONTEXT = 1;
const MIN_COLLAPSED = 2;

function changedPart(change: BlockChange) {
  if (change.kind === 'rows') return change;
  const { kind, block } = change;
  return kind === 'same'
    ? null
    : { left: kind === 'removed' ? block : null, right: kind === 'added' ? block : null };
}

const isHeading = (change: BlockChange) => change.kind === 'same' && change.heading === true;

interface BlockChangesProps {
  comparison: Extract<BlockComparison, { kind: 'blocks' }>;
  before: DocumentVersion;
  after: DocumentVersion;
  answers: AnswersAt | undefined;
  /** Whether what did not change is shown, too, if the text is short; then its first change is scrolled to. */
  around: boolean;
}

/** The rendered text with what was added and removed marked in it. Unchanged parts are collapsed. */
export function BlockChanges({ comparison, before, after, answers, around }: BlockChangesProps) {
  const t = useT();
  const { changes, removed, added } = comparison;
  const segments = useSegments(
    changes,
    changedPart,
    CONTEXT,
    around && isShort(after.content) ? Number.POSITIVE_INFINITY : MIN_COLLAPSED,
    isHeading,
  );
  const first = changes.findIndex((change) => changedPart(change) !== null);
  const former = useBlocks(before, 'del', removed);
  const current = useBlocks(after, 'ins', added);
  const isShown = former !== undefined && current !== undefined;
  const firstChange = useRef<HTMLDivElement>(null);
  // Once more when it is known what each change answers, which stands above it, and never after that.
  const isAnswered = answers !== undefined;
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (!isShown || isPlaced.current) return;
    firstChange.current?.scrollIntoView();
    isPlaced.current = isAnswered;
  }, [isShown, isAnswered]);
  if (!isShown) return <TextSkeleton />;

  const list = (shown: readonly BlockChange[]) =>
    shown.map((change) => {
      if (change.kind === 'rows') {
        const key = `rows ${change.left?.from} ${change.right?.from}`;
        const versions = { from: before.version, to: after.version };
        return (
          <div key={key} className="my-2">
            {change.table ? (
              <TableChanges rows={change.rows} {...versions} />
            ) : (
              <RowChanges rows={change.rows} {...versions} titled={false} />
            )}
          </div>
        );
      }
      const { kind, block } = change;
      const find = kind === 'removed' ? former : current;
      const text = (kind === 'removed' ? before : after).content;
      return (
        <Block key={`${kind} ${block.from}`} kind={kind} rewritten={change.rewritten}>
          {find === null ? (
            <p className="wrap-anywhere whitespace-pre-wrap">{linesOf(text, block.from, block.to)}</p>
          ) : (
            <DocumentPart tree={find(block.from)} />
          )}
        </Block>
      );
    });

  return (
    <div className="rendered-text mx-auto w-full max-w-[50rem] px-3 pb-4 sm:px-8">
      <ChangeSteps count={countParts(changes, changedPart)} />
      {segments.map(({ start, collapsed, items, expand }) =>
        collapsed ? (
          <div key={start} className="my-3 rounded-lg border border-dashed">
            <ExpandButton label={t('plan.expand', { n: items.length })} onClick={expand} />
          </div>
        ) : (
          partsOf(items, changedPart).map((part) => (
            <div
              key={start + part.start}
              ref={around && start + part.start === first ? firstChange : undefined}
              data-changed-part={part.changed ? '' : undefined}
              className={cn(part.changed && 'my-3 scroll-mt-24')}
            >
              {part.changed && answers?.(part.changed)}
              {list(part.items)}
            </div>
          ))
        ),
      )}
    </div>
  );
}

const LOOKS = {
  added: 'border-success bg-success-soft',
  removed: 'border-destructive bg-destructive-soft',
};

interface BlockProps {
  kind: 'same' | 'removed' | 'added';
  /** Whether it has little in common with what it took the place of. */
  rewritten?: true | undefined;
  children: ReactNode;
}

function Block({ kind, rewritten, children }: BlockProps) {
  const t = useT();
  if (kind === 'same') return <div className="py-1.5">{children}</div>;
  return (
    <div
      data-change={kind}
      data-old={kind === 'removed' ? '' : undefined}
      className={cn('changed-block my-1.5 rounded-l-xs rounded-r-lg border-l-3 px-3 py-1.5', LOOKS[kind])}
    >
      <span className="sr-only">{t(`documents.line.${kind}`)}</span>
      {rewritten && <p className="text-xs font-semibold text-success">{t('documents.line.rewritten')}</p>}
      {children}
    </div>
  );
}

type Marks = readonly (readonly [number, number])[];

/** Finds the rendered block that begins in a line of a version; undefined until it is parsed, null if it cannot be. */
function useBlocks({ version, content }: DocumentVersion, tag: 'ins' | 'del', spans: Marks) {
  const tree = useTree(content, `c${version}`, 2, { tag, spans });
  return useMemo(() => tree && blocksByLine(tree), [tree]);
}

function blocksByLine(tree: Root): (line: number) => Root {
  const blocks = new Map<number, Root>();
  const add = (node: ElementContent, shown: ElementContent) => {
    const line = node.position?.start.line;
    if (line !== undefined) blocks.set(line, { type: 'root', children: [shown] });
  };
  for (const child of tree.children) {
    if (child.type !== 'element') continue;
    if (child.tagName !== 'ul' && child.tagName !== 'ol') add(child, child);
    let start = Number(child.properties.start ?? 1);
    for (const item of child.children) {
      if (child.tagName.length !== 2 || item.type !== 'element' || item.tagName !== 'li') continue;
      const numbered = child.tagName === 'ol' ? { start } : {};
      add(item, { ...child, properties: { ...child.properties, ...numbered }, children: [item] });
      start += 1;
    }
  }
  // A definition has no block.
  return (line) => blocks.get(line) ?? { type: 'root', children: [] };
}
