import { MessageSquarePlus, TriangleAlert, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { MAX_ISSUE_TITLE } from '@/api/limits';
import type { Severity } from '@/api/types';
import type { LineRange } from '@/documents/changes/lineRange';
import { useT } from '@/i18n';
import { visible } from '@/lib/hiddenCharacters';
import { shortened } from '@/lib/shortened';
import { Button, IconButton } from '@/ui/button';
import { Select, SeveritySelect, TextField } from '@/ui/fields';
import { placeLabel } from './lineComments';

/** Of a longer text the lines are selected where they are shown as such. */
const MAX_LINES = 500;
/** Where a list of lines is wider than a phone, its ends are not to be seen. */
const MAX_TEXT = 48;

export type Writing = 'comment' | 'issue' | null;

interface LineCommentFormProps {
  version: number;
  lines: LineRange;
  /** The source lines of the element that is selected, with their numbers, of which some may be selected. */
  unitLines: readonly (readonly [number, string])[];
  onSelect: (lines: LineRange) => void;
  writing: Writing;
  onWrite: (writing: Writing) => void;
  /** Each time the text of a comment has changed. */
  onType: (text: string) => void;
  onComment: (text: string) => void;
  onRaise: (severity: Severity, title: string) => void;
  onClear: () => void;
}

/** What can be done with the selected lines. */
export function LineCommentForm(props: LineCommentFormProps) {
  const { version, lines, unitLines, writing, onWrite, onClear } = props;
  const t = useT();
  const place = placeLabel(t, version, lines);
  return (
    <section aria-label={place} className="border-t bg-card px-3 py-2.5 sm:px-4">
      <div className="flex items-center gap-2">
        <p role="status" className="mr-auto min-w-0 flex-1 text-[13px] font-medium tabular-nums">
          {place}
        </p>
        {writing === null && (
          <>
            <Button size="sm" aria-keyshortcuts="c" onClick={() => onWrite('comment')}>
              <MessageSquarePlus aria-hidden className="max-sm:hidden" />
              {t('plan.comment')}
            </Button>
            <Button size="sm" aria-keyshortcuts="i" onClick={() => onWrite('issue')}>
              <TriangleAlert aria-hidden className="max-sm:hidden" />
              {t('ruling.raise')}
            </Button>
          </>
        )}
        <IconButton size="tiny" icon={X} label={t('plan.clear')} onClick={onClear} />
      </div>
      {unitLines.length > 1 && unitLines.length <= MAX_LINES && <LineSelects {...props} />}
      {writing !== null && <Form key={writing} {...props} />}
    </section>
  );
}

/** Selects single lines of a paragraph: with the first, that alone; with the last, all between them. */
function LineSelects({ lines, unitLines, onSelect }: LineCommentFormProps) {
  const t = useT();
  const labels = unitLines.map(
    ([number, text]) => [String(number), `${number}: ${shortened(visible(text.trim()), MAX_TEXT)}`] as const,
  );
  const lineSelect = (label: string, selected: number, least: number, onLine: (line: number) => void) => (
    <Select
      label={label}
      value={String(selected)}
      choices={labels.filter(([number]) => Number(number) >= least)}
      onChoose={(line) => onLine(Number(line))}
      className="h-8 min-w-0 flex-1 px-2 text-ellipsis max-sm:h-11"
    />
  );
  return (
    <div className="mt-2 flex items-center gap-2">
      {lineSelect(t('plan.first'), lines.from, 1, (line) => onSelect({ from: line, to: line }))}
      <span aria-hidden className="text-muted-foreground">
        –
      </span>
      {lineSelect(t('plan.last'), lines.to, lines.from, (line) => onSelect({ from: lines.from, to: line }))}
    </div>
  );
}

function Form({ writing, onWrite, onType, onComment, onRaise }: LineCommentFormProps) {
  const t = useT();
  const [written, setWritten] = useState('');
  const [severity, setSeverity] = useState<Severity>('medium');
  const text = written.trim();
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (text === '') return;
    if (writing === 'comment') onComment(text);
    else onRaise(severity, text);
  }
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    // The keys of the panel are off while something is written.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      // As in the box of the ruling, what is written stays.
      if (writing === 'comment' && text !== '') onComment(text);
      else onWrite(null);
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.currentTarget.requestSubmit();
    }
  }
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} className="mt-2">
      {writing === 'comment' ? (
        <textarea
          // biome-ignore lint/a11y/noAutofocus: it was asked for just now
          autoFocus
          dir="auto"
          rows={3}
          aria-label={t('plan.comment.box')}
          placeholder={t('plan.comment.placeholder')}
          value={written}
          onChange={({ target }) => {
            setWritten(target.value);
            onType(target.value);
          }}
          className="block w-full resize-y rounded-lg border border-border bg-card px-2.5 py-2 text-[13px] leading-relaxed placeholder:text-muted-foreground focus-visible:outline-offset-0"
        />
      ) : (
        <div className="flex gap-2">
          <TextField
            label={t('ruling.raise.title')}
            maxLength={MAX_ISSUE_TITLE}
            value={written}
            autoFocus
            className="basis-40"
            onChange={setWritten}
          />
          <SeveritySelect value={severity} onChange={setSeverity} />
        </div>
      )}
      <div className="mt-2 flex items-center justify-end gap-2">
        <p className="mr-auto text-xs text-muted-foreground">{t('plan.waits')}</p>
        <Button size="sm" variant="ghost" onClick={() => onWrite(null)}>
          {t('dialog.cancel')}
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={text === ''}>
          {/* A comment is in the ruling while it is being written. */}
          {t(writing === 'comment' ? 'plan.comment.done' : 'plan.add')}
        </Button>
      </div>
    </form>
  );
}
