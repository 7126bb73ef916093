import { FilePenLine } from 'lucide-react';
import { useT } from '@/i18n';
import { type Store, useStore } from '@/lib/store';
import { commentLabel, contentOf } from '@/plan/lineComments';
import { Button } from '@/ui/button';
import { useCopy } from '@/ui/useCopy';
import { countChanges, type Draft, EMPTY } from './draft';

/** Shown while no ruling is needed but a draft of one exists. */
export function SavedDraft({ stored, closed }: { stored: Store<Draft>; closed: boolean }) {
  const t = useT();
  const copy = useCopy();
  const draft = useStore(stored);
  const changes = countChanges(draft);
  const content = contentOf(draft.text, draft.comments);
  const kept = [
    draft.text.trim(),
    ...draft.comments.map((comment) => commentLabel(t, comment)),
    changes > 0 && t('draft.changes', { n: changes }),
  ];
  return (
    <section
      aria-label={t('draft.kept')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-dashed px-3.5 py-2.5"
    >
      <FilePenLine aria-hidden className="size-4 text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <p>
          <span className="font-medium">{t('draft.kept')}.</span>{' '}
          <span className="text-muted-foreground">{t(closed ? 'draft.hint.closed' : 'draft.hint')}</span>
        </p>
        <p dir="auto" className="line-clamp-3 text-[13px] wrap-anywhere text-muted-foreground">
          {kept.filter(Boolean).join(' · ')}
        </p>
      </div>
      {content !== '' && (
        <Button size="sm" onClick={() => void copy(content)}>
          {t('draft.copy')}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={() => stored.set(EMPTY)}>
        {t('draft.discard')}
      </Button>
    </section>
  );
}
