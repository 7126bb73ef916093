import {
  Ban,
  CircleCheck,
  CircleDot,
  CircleHelp,
  Clock,
  type LucideIcon,
  MessageSquareWarning,
  Undo2,
  Wrench,
} from 'lucide-react';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';

const STYLES: Record<string, { icon: LucideIcon; text: string }> = {
  open: { icon: CircleDot, text: 'text-foreground' },
  fixed: { icon: Wrench, text: 'text-proposer' },
  disputed: { icon: MessageSquareWarning, text: 'text-opponent' },
  resolved: { icon: CircleCheck, text: 'text-success' },
  withdrawn: { icon: Undo2, text: 'text-muted-foreground' },
  dismissed: { icon: Ban, text: 'text-muted-foreground' },
  deferred: { icon: Clock, text: 'text-muted-foreground' },
};

const UNKNOWN = { icon: CircleHelp, text: 'text-muted-foreground' };

export function StatusLabel({ status }: { status: string }) {
  const t = useT();
  const { icon: Icon, text } = STYLES[status] ?? UNKNOWN;
  return (
    <span className={cn('inline-flex items-center gap-1 text-xs font-semibold whitespace-nowrap', text)}>
      <Icon aria-hidden className="size-3.5" />
      {t.label('status', status)}
    </span>
  );
}
