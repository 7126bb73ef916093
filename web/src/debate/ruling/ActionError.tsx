import { CircleAlert, X } from 'lucide-react';
import { token } from '@/api/client';
import type { Failure } from '@/api/types';
import { access } from '@/auth/access';
import { type Translate, useT } from '@/i18n';
import { Button, IconButton } from '@/ui/button';
import { type ChangeFault, isNewKey } from './issueDecisions';

/** Nothing was refused: a ruling was made elsewhere while one was written here. */
export const RULED_ELSEWHERE = 'RULED_ELSEWHERE';

interface ActionErrorProps {
  failure: Failure;
  /** If it is about a change of an issue; what is wrong is said there. */
  fault?: ChangeFault | null;
  onDismiss: () => void;
}

/** Says why the server refused an action. */
export function ActionError({ failure, fault = null, onDismiss }: ActionErrorProps) {
  const t = useT();
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-xl border border-destructive/40 bg-destructive-soft px-3.5 py-2.5 text-sm"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-destructive">
          {t(failure.code === RULED_ELSEWHERE ? 'refused.elsewhere' : 'refused.title')}
        </p>
        <p className="wrap-anywhere">{explain(t, failure, fault)}</p>
        {failure.code === 'FORBIDDEN' && token.get() !== null && (
          <Button size="sm" className="mt-2" onClick={() => access.set('missing')}>
            {t('refused.token')}
          </Button>
        )}
      </div>
      <IconButton icon={X} size="tiny" label={t('dialog.close')} onClick={onDismiss} />
    </div>
  );
}

function explain(t: Translate, failure: Failure, fault: ChangeFault | null): string {
  if (fault !== null) {
    return isNewKey(fault.key) ? t('refused.newIssue') : t('refused.issue', { issue: fault.key });
  }
  if (failure.code === 'ACTION_NOT_ALLOWED' || failure.code === RULED_ELSEWHERE) {
    return t('refused.state', { state: t.label('state', failure.current_state ?? '') });
  }
  if (failure.code === 'FORBIDDEN') return t('refused.forbidden');
  return t('refused.other', { message: t.failure(failure) });
}
