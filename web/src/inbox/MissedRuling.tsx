import { FilePenLine, X } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { Button } from '@/ui/button';
import { Link } from '@/ui/Link';

/** Says that somebody else ruled while this person was writing, and where the draft is. */
export function MissedRuling({ debate, onDismiss }: { debate: Debate; onDismiss: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="mb-3 flex items-start gap-3 rounded-xl border bg-card px-3.5 py-2.5 text-sm">
      <FilePenLine aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <Link href={debatePath(debate.id)} className="rounded font-medium underline underline-offset-3">
          {debate.title}
        </Link>
        {': '}
        {t('inbox.missed', { state: t.label('state', debate.state) })}
      </p>
      <Button variant="ghost" size="tiny" aria-label={t('dialog.close')} onClick={onDismiss}>
        <X aria-hidden />
      </Button>
    </div>
  );
}
