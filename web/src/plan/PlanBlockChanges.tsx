import { UnfoldVertical } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import type { BlockChange } from './blocks';
import { partsOfBlocks } from './changedParts';
import type { AnswersAt } from './PlanChanges';

/** How many unchanged blocks are shown before and after a change. */
const CONTEXT = 1;
const MIN_COLLAPSED = 2;
const HEADING = /^(#{1,6})[ \t]/;

interface PlanBlockChangesProps {
  changes: readonly BlockChange[];
  answers: AnswersAt;
}

/** The rendered text with what was added and removed marked in it. Unchanged parts are collapsed. */
export function PlanBlockChanges({ changes, answers }: PlanBlockChangesProps) {
  const t = useT();
  const parts = useMemo(() => partsOfBlocks(withHeadings(changes)), [changes]);
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());

  return (
    <div className="mx-auto w-full max-w-[50rem] px-3 py-4 sm:px-5">
      {parts.map(({ start, changed, items }, index): ReactNode => {
        if (changed !== null) {
          return (
            <div key={start} className="my-3">
              {answers(changed)}
              <BlockList changes={items} />
            </div>
          );
        }
        const head = index === 0 ? 0 : CONTEXT;
        const tail = index === parts.length - 1 ? 0 : CONTEXT;
        const hidden = items.length - head - tail;
        if (hidden < MIN_COLLAPSED || expanded.has(start)) return <BlockList key={start} changes={items} />;
        return (
          <div key={start}>
            <BlockList changes={items.slice(0, head)} />
            <Button
              variant="link"
              size="bare"
              className="my-3 w-full rounded-lg border border-dashed py-1 text-xs"
              onClick={() => setExpanded(new Set([...expanded, start]))}
            >
              <UnfoldVertical aria-hidden />
              {t('plan.expand', { n: hidden })}
            </Button>
            <BlockList changes={items.slice(items.length - tail)} />
          </div>
        );
      })}
    </div>
  );
}

interface Shown extends BlockChange {
  /** The levels of the headings that the block is under. */
  headingsAbove: readonly number[];
}

function withHeadings(changes: readonly BlockChange[]): Shown[] {
  let open: readonly number[] = [];
  return changes.map((change) => {
    const level = HEADING.exec(change.block.text)?.[1]?.length;
    if (level === undefined) return { ...change, headingsAbove: open };
    const headingsAbove = open.filter((above) => above < level);
    open = [...headingsAbove, level];
    return { ...change, headingsAbove };
  });
}

function BlockList({ changes }: { changes: readonly Shown[] }) {
  return changes.map((change) => (
    <RenderedBlock key={`${change.kind} ${change.block.from}`} change={change} />
  ));
}

function RenderedBlock({ change: { kind, block, words, headingsAbove } }: { change: Shown }) {
  const t = useT();
  const tag = kind === 'removed' ? ('del' as const) : ('ins' as const);
  const marks = useMemo(() => ({ tag, spans: words }), [tag, words]);
  const text = (
    <Markdown
      text={block.text}
      headingsAbove={headingsAbove}
      firstLine={block.from}
      scope={`p-${kind}-${block.from}`}
      {...(words.length > 0 && { marks })}
    />
  );
  if (kind === 'same') return <div className="py-1.5">{text}</div>;
  return (
    <div
      data-change={kind}
      data-old={kind === 'removed' ? '' : undefined}
      className={cn('changed-block', kind)}
    >
      <span className="sr-only">
        {t(kind === 'removed' ? 'documents.line.removed' : 'documents.line.added')}
      </span>
      {text}
    </div>
  );
}
