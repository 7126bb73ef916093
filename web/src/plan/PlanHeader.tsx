import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { DocumentInfo, DocumentVersion } from '@/api/types';
import { VersionFacts } from '@/documents/DocumentHeader';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/iconButton';

interface PlanHeaderProps {
  title: ReactNode;
  /** Buttons beside the title. */
  children?: ReactNode;
  /** Whether the button gets the focus, as nothing else can. */
  focused?: boolean;
  onClose: () => void;
}

/** The title of the panel and the button that closes it. */
export function PlanHeader({ title, children, focused = false, onClose }: PlanHeaderProps) {
  const t = useT();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  return (
    <div className="flex items-start gap-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 self-center">{title}</div>
      {children}
      <IconButton ref={button} icon={X} label={t('plan.close')} onClick={onClose} />
    </div>
  );
}

interface PlanNotesProps {
  info: DocumentInfo;
  shown: DocumentVersion;
  planVersion: number | null;
  onShow: () => void;
  children: ReactNode;
}

/** What else there is to know about the version that is shown. */
export function PlanNotes({ info, shown, planVersion, onShow, children }: PlanNotesProps) {
  const t = useT();
  const newer = planVersion !== null && planVersion > shown.version;
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 px-4 text-xs text-muted-foreground">
      <VersionFacts info={info} shown={shown} />
      {newer && (
        <Button size="sm" className="h-6!" onClick={onShow}>
          {t('documents.newest', { n: planVersion })}
        </Button>
      )}
      <span className="ml-auto">{children}</span>
    </div>
  );
}
