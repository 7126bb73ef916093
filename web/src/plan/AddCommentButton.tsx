import { Plus } from 'lucide-react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';

interface AddCommentButtonProps {
  top: number;
  /** Whether it is beside line numbers. */
  numbered: boolean;
  place: string;
  onClick: () => void;
}

/** The `+` beside lines of the plan. */
export function AddCommentButton({ top, numbered, place, onClick }: AddCommentButtonProps) {
  const t = useT();
  return (
    <IconButton
      variant="primary"
      size="bare"
      icon={Plus}
      label={t('ruling.comments.text', { place })}
      title={t('plan.comment')}
      style={{ top }}
      className={cn('absolute size-6 rounded-md! shadow-subtle', numbered ? 'left-12' : 'left-1')}
      onClick={onClick}
    />
  );
}
