import { memo } from 'react';
import { useT } from '@/i18n';
import { visible } from '@/lib/visible';
import type { Line, Row } from './compare';

interface RowsProps {
  rows: readonly Row[];
}

type Change = 'same' | 'removed' | 'added';

export const SplitRows = memo(function SplitRows({ rows }: RowsProps) {
  return (
    <tbody>
      {rows.map(({ same, left, right }) => (
        <tr key={`${left?.number ?? ''}:${right?.number ?? ''}`}>
          <Cells line={left} change={same ? 'same' : 'removed'} />
          <Cells line={right} change={same ? 'same' : 'added'} />
        </tr>
      ))}
    </tbody>
  );
});

function Cells({ line, change }: { line: Line | null; change: Change }) {
  if (line === null) return <td colSpan={2} className="empty" />;
  return (
    <>
      <td className={`number ${change}`}>{line.number}</td>
      <td className={change}>
        <LineText line={line} change={change} />
      </td>
    </>
  );
}

export const UnifiedRows = memo(function UnifiedRows({ rows }: RowsProps) {
  return (
    <tbody>
      {unified(rows).map(({ change, left, right, line }) => (
        <tr
          key={`${left ?? ''}:${right ?? ''}`}
          data-lines={`${line.number}-${line.number}`}
          data-old={change === 'removed' ? '' : undefined}
        >
          <td className={`number ${change}`}>{left}</td>
          <td className={`number ${change}`}>{right}</td>
          <td className={change}>
            <LineText line={line} change={change} />
          </td>
        </tr>
      ))}
    </tbody>
  );
});

interface Entry {
  change: Change;
  left: number | null;
  right: number | null;
  line: Line;
}

/** Puts both sides into one column: of each changed block first the removed, then the added lines. */
function unified(rows: readonly Row[]): Entry[] {
  const entries: Entry[] = [];
  const added: Entry[] = [];
  for (const { same, left, right } of rows) {
    if (same) entries.push(...added.splice(0));
    if (same && left && right)
      entries.push({ change: 'same', left: left.number, right: right.number, line: right });
    else {
      if (left) entries.push({ change: 'removed', left: left.number, right: null, line: left });
      if (right) added.push({ change: 'added', left: null, right: right.number, line: right });
    }
  }
  return [...entries, ...added];
}

const SIGNS = { same: ' ', removed: '−', added: '+' };

function LineText({ line, change }: { line: Line; change: Change }) {
  const t = useT();
  const Part = change === 'removed' ? 'del' : 'ins';
  const parts = line.parts ?? [{ text: line.text, changed: false }];
  return (
    <span className="line">
      <span aria-hidden className="sign">
        {SIGNS[change]}
      </span>
      {change !== 'same' && <span className="sr-only">{t(`documents.line.${change}`)}</span>}
      <span dir="auto" className="text">
        {parts.map(({ text, changed }, index) => {
          const shownText = withoutLineEnd(text);
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
          return changed ? <Part key={index}>{shownText}</Part> : <span key={index}>{shownText}</span>;
        })}
        {change !== 'same' && !line.text.endsWith('\n') && (
          <span className="no-newline">{t('documents.line.noNewline')}</span>
        )}
      </span>
    </span>
  );
}

/** Drops the newline and shows hidden characters, such as a carriage return, which may be all that changed. */
function withoutLineEnd(text: string): string {
  return visible(text.replace(/\n$/, '').replace(/\r$/, '␍'));
}
