import { Copy } from 'lucide-react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';
import { useCopy } from '@/ui/useCopy';

interface CopyLineProps {
  title: string;
  hint: string;
  /** A command line, or what an agent is asked to do. */
  text: string;
}

/** A text to be given to a terminal or to an agent, with a button that copies it. */
export function CopyLine({ title, hint, text }: CopyLineProps) {
  const t = useT();
  const copy = useCopy();
  return (
    <li className="min-w-0 py-2.5">
      <p className="text-sm font-medium">{title}</p>
      <p className="mt-0.5 text-[13px] text-muted-foreground">{hint}</p>
      <div className="mt-1.5 flex items-center gap-2 rounded-lg border bg-background py-1 pr-1 pl-3">
        <code className="line-clamp-3 min-w-0 flex-1 font-mono text-xs wrap-anywhere">{text}</code>
        <IconButton
          size="tiny"
          icon={Copy}
          label={t('start.copy', { what: title })}
          onClick={() => void copy(text)}
        />
      </div>
    </li>
  );
}
