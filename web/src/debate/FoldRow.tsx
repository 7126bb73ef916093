import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import type { Fold } from './folding';

/** Shows and hides a run of settled arguments. */
export function FoldRow({ fold, onToggle }: { fold: Fold; onToggle: (fold: Fold) => void }) {
  const t = useT();
  const { first, last, open } = fold;
  const Icon = open ? ChevronsDownUp : ChevronsUpDown;
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-expanded={open}
      data-fold={`${first}-${last}`}
      className="h-9! w-full border border-dashed border-border"
      onClick={() => onToggle(fold)}
    >
      <Icon aria-hidden />
      <span className="tabular-nums">{t('thread.fold', { n: last - first + 1, first, last })}</span>
      <span aria-hidden className="ml-2 max-sm:hidden">
        {open ? t('thread.fold.close') : t('thread.fold.open')}
      </span>
    </Button>
  );
}
