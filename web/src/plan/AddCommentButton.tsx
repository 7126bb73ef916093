import { Plus } from 'lucide-react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';

interface AddCommentButtonProps {
  /** Where the lines are in the text. */
  top: number;
  height: number;
  /** Whether it is beside line numbers. */
  numbered: boolean;
  place: string;
  onClick: () => void;
}

/** The `+` beside lines of the plan. It stays in view where the lines begin above it. */
export function AddCommentButton({ top, height, numbered, place, onClick }: AddCommentButtonProps) {
  const t = useT();
  return (
    <div
      style={{ top, height }}
      className={cn('pointer-events-none absolute', numbered ? 'left-12' : 'left-1')}
    >
      <IconButton
        variant="primary"
        size="bare"
        icon={Plus}
        label={t('ruling.comments.text', { place })}
        title={t('plan.comment')}
        className="pointer-events-auto sticky top-1 size-6 rounded-md! shadow-subtle"
        onClick={onClick}
      />
    </div>
  );
}
