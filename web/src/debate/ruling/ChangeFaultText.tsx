import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Failure } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import type { ChangeFault } from './issueDecisions';

/** The server's messages begin with the place in the request, which the place on the page tells. */
const PLACE = /^issue_changes\[\d+\](\.|: )?/;

/** Says at an issue why the server refused what the ruling makes of it. */
export function ChangeFaultText({ fault }: { fault: ChangeFault | null }) {
  const t = useT();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (fault !== null) text.current?.scrollIntoView({ block: 'nearest' });
  }, [fault]);
  if (fault === null) return null;
  return (
    <p ref={text} role="alert" className="mt-1.5 flex items-start gap-1.5 text-[13px] text-destructive">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{explain(t, fault.failure)}</span>
    </p>
  );
}

function explain(t: Translate, { code, message, status, limit, actual }: Failure): string {
  if (code === 'ACTION_NOT_ALLOWED' && typeof status === 'string') {
    return t('ruling.issues.refused', { status: t.label('status', status) });
  }
  if (code === 'CONTENT_TOO_LARGE' && limit !== undefined && actual !== undefined) {
    return t('ruling.issues.tooLong', { limit, actual });
  }
  return message.replace(PLACE, '');
}
