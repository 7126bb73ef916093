import { FilePenLine } from 'lucide-react';
import { useT } from '@/i18n';
import { contentOf } from '@/plan/comments';
import { Button } from '@/ui/button';
import { useCopy } from '@/ui/useCopy';
import { countChanges, type DraftStore, EMPTY } from './draft';

/** Shown while no ruling is needed but a draft of one exists. */
export function SavedDraft({ draftStore }: { draftStore: DraftStore }) {
  const t = useT();
  const copy = useCopy();
  const { draft } = draftStore;
  const changes = countChanges(draft);
  const content = contentOf(draft.text, draft.comments);
  return (
    <section
      aria-label={t('draft.kept')}
      className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-dashed px-3.5 py-2.5"
    >
      <FilePenLine aria-hidden className="size-4 text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <p>
          <span className="font-medium">{t('draft.kept')}.</span>{' '}
          <span className="text-muted-foreground">{t('draft.hint')}</span>
        </p>
        <p dir="auto" className="truncate text-[13px] text-muted-foreground">
          {draft.text}
        </p>
        {draft.comments.length > 0 && (
          <p className="text-[13px] text-muted-foreground">
            {t('draft.comments', { n: draft.comments.length })}
          </p>
        )}
        {changes > 0 && (
          <p className="text-[13px] text-muted-foreground">{t('draft.changes', { n: changes })}</p>
        )}
      </div>
      {content !== '' && (
        <Button size="sm" onClick={() => void copy(content)}>
          {t('draft.copy')}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={() => draftStore.save(EMPTY)}>
        {t('draft.discard')}
      </Button>
    </section>
  );
}
