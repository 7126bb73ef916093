import { FilePenLine, LoaderCircle } from 'lucide-react';
import { useT } from '@/i18n';
import { contentOf } from '@/plan/comments';
import { Button } from '@/ui/button';
import { useCopy } from '@/ui/useCopy';
import type { Pending } from '@/websocket/outbox';
import type { Connection } from '@/websocket/reconnectingSocket';
import { countChanges, type DraftStore, EMPTY } from './draft';

interface PendingNoticeProps {
  pending: Pending;
  connection: Connection;
  onWithdraw: () => void;
}

/** Shown while an action waits for the connection or for its answer after a lost connection. */
export function PendingNotice({ pending, connection, onWithdraw }: PendingNoticeProps) {
  const t = useT();
  if (connection === 'live') return null;
  return (
    <div role="status" className="mb-3 flex items-center gap-3 rounded-xl bg-accent px-3.5 py-2.5 text-sm">
      <LoaderCircle aria-hidden className="size-4 text-muted-foreground motion-safe:animate-spin" />
      <p className="flex-1">{pending.sent ? t('pending.sent') : t('pending.waiting')}</p>
      {!pending.sent && (
        <Button size="sm" onClick={onWithdraw}>
          {t('pending.cancel')}
        </Button>
      )}
    </div>
  );
}

/** Shown while no ruling is needed but a draft of one exists. */
export function SavedDraft({ draftStore, closed }: { draftStore: DraftStore; closed: boolean }) {
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
          <span className="text-muted-foreground">{t(closed ? 'draft.hint.closed' : 'draft.hint')}</span>
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
