import { MessageSquarePlus, TriangleAlert, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { LineRange } from '@/documents/changes/lineRange';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/iconButton';

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Writing = 'comment' | 'issue' | null;

interface SelectionBarProps {
  version: number;
  lines: LineRange;
  writing: Writing;
  onWrite: (writing: Writing) => void;
  onComment: (text: string) => void;
  onRaise: (severity: Severity, title: string) => void;
  onClear: () => void;
}

/** What can be done with the selected lines. */
export function SelectionBar(props: SelectionBarProps) {
  const { version, lines, writing, onWrite, onClear } = props;
  const t = useT();
  const place = placeLabel(t, version, lines);
  return (
    <section aria-label={place} className="border-t bg-card px-3 py-2.5 sm:px-4">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto text-[13px] font-medium tabular-nums">
          {place}
        </p>
        {writing === null && (
          <>
            <Button size="sm" aria-keyshortcuts="c" onClick={() => onWrite('comment')}>
              <MessageSquarePlus aria-hidden />
              {t('plan.comment')}
            </Button>
            <Button size="sm" aria-keyshortcuts="i" onClick={() => onWrite('issue')}>
              <TriangleAlert aria-hidden />
              {t('plan.raise')}
            </Button>
          </>
        )}
        <IconButton size="tiny" icon={X} label={t('plan.clear')} onClick={onClear} />
      </div>
      {writing === 'comment' && <CommentForm {...props} />}
      {writing === 'issue' && <IssueForm {...props} />}
    </section>
  );
}

export function placeLabel(t: ReturnType<typeof useT>, version: number, { from, to }: LineRange): string {
  return from === to ? t('plan.line', { version, from }) : t('plan.lines', { version, from, to });
}

const FIELD =
  'w-full rounded-lg border border-border bg-background px-2.5 text-[13px] placeholder:text-muted-foreground focus-visible:outline-offset-0';

function CommentForm({ onComment, onWrite }: SelectionBarProps) {
  const t = useT();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  function add() {
    if (text.trim() !== '') onComment(text.trim());
  }
  return (
    <Form canAdd={text.trim() !== ''} onAdd={add} onCancel={() => onWrite(null)}>
      <textarea
        ref={field}
        dir="auto"
        rows={3}
        aria-label={t('plan.comment.box')}
        placeholder={t('plan.comment.placeholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${FIELD} block resize-y py-2 leading-relaxed`}
      />
    </Form>
  );
}

function IssueForm({ onRaise, onWrite }: SelectionBarProps) {
  const t = useT();
  const [title, setTitle] = useState('');
  const [severity, setSeverity] = useState<Severity>('medium');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  function add() {
    if (title.trim() !== '') onRaise(severity, title.trim());
  }
  return (
    <Form canAdd={title.trim() !== ''} onAdd={add} onCancel={() => onWrite(null)}>
      <div className="flex gap-2">
        <input
          ref={field}
          type="text"
          dir="auto"
          maxLength={200}
          aria-label={t('ruling.raise.title')}
          placeholder={t('ruling.raise.title')}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          className={`${FIELD} h-9 min-w-0 flex-1`}
        />
        <select
          aria-label={t('ruling.raise.severity')}
          value={severity}
          onChange={(event) => {
            const chosen = SEVERITIES.find((known) => known === event.target.value);
            if (chosen) setSeverity(chosen);
          }}
          className={`${FIELD} h-9 w-auto shrink-0`}
        >
          {SEVERITIES.map((known) => (
            <option key={known} value={known}>
              {t.label('severity', known)}
            </option>
          ))}
        </select>
      </div>
    </Form>
  );
}

interface FormProps {
  canAdd: boolean;
  onAdd: () => void;
  onCancel: () => void;
  children: ReactNode;
}

function Form({ canAdd, onAdd, onCancel, children }: FormProps) {
  const t = useT();

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    onAdd();
  }
  function onKeyDown(event: KeyboardEvent) {
    // The keys of the panel are off while something is written.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      onCancel();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onAdd();
    }
  }
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} className="mt-2">
      {children}
      <div className="mt-2 flex items-center justify-end gap-2">
        <p className="mr-auto text-xs text-muted-foreground">{t('plan.waits')}</p>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {t('dialog.cancel')}
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={!canAdd}>
          {t('plan.add')}
        </Button>
      </div>
    </form>
  );
}
