import { FileQuestion, TriangleAlert } from 'lucide-react';
import type { DocumentInfo, Failure } from '@/api/types';
import { useT } from '@/i18n';
import type { DocumentRoute } from '@/lib/documentRoute';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';

interface DocumentErrorProps {
  failure: Failure;
  route: DocumentRoute;
  /** Null if there is no such document. */
  info: DocumentInfo | null;
  onRetry: () => void;
  /** Shows a version that there is. */
  onVersion: (version: number) => void;
}

export function DocumentError({ failure, route, info, onRetry, onVersion }: DocumentErrorProps) {
  const t = useT();
  // A malformed id, as from a truncated link, is shown like an unknown one.
  const missing = failure.code === 'DOCUMENT_NOT_FOUND' || failure.code === 'INVALID_INPUT';
  if (!missing) {
    return (
      <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')}>
        <p className="text-sm text-muted-foreground">{t.failure(failure)}</p>
        <Button onClick={onRetry}>{t('failed.retry')}</Button>
      </Notice>
    );
  }
  if (info === null) {
    return (
      <Notice heading="h3" icon={FileQuestion} title={t('documents.missing')}>
        <p className="text-sm text-muted-foreground wrap-anywhere">
          {t('documents.missing.text', { id: route.id })}
        </p>
      </Notice>
    );
  }
  return (
    <Notice heading="h3" icon={FileQuestion} title={t('documents.noVersion', { n: route.version ?? 0 })}>
      <p className="text-sm text-muted-foreground">
        {t('documents.noVersion.text', { n: info.latest_version })}
      </p>
      <Button onClick={() => onVersion(info.latest_version)}>
        {t('documents.newest', { n: info.latest_version })}
      </Button>
    </Notice>
  );
}
