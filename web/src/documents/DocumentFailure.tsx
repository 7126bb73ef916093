import { FileQuestion, TriangleAlert } from 'lucide-react';
import type { DocumentHead, Failure } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { type DocumentPlace, turn } from './place';

interface DocumentFailureProps {
  failure: Failure;
  place: DocumentPlace;
  /** Null where there is no such document. */
  head: DocumentHead | null;
  onRetry: () => void;
}

export function DocumentFailure({ failure, place, head, onRetry }: DocumentFailureProps) {
  const t = useT();
  // An id that was cut short is malformed rather than unknown; to the person it is the same.
  const missing = failure.code === 'DOCUMENT_NOT_FOUND' || failure.code === 'INVALID_INPUT';
  if (!missing) {
    return (
      <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')}>
        <p className="text-sm text-muted">{t.failure(failure)}</p>
        <Button onClick={onRetry}>{t('failed.retry')}</Button>
      </Notice>
    );
  }
  if (head === null) {
    return (
      <Notice heading="h3" icon={FileQuestion} title={t('documents.missing')}>
        <p className="text-sm text-muted wrap-anywhere">{t('documents.missing.text', { id: place.id })}</p>
      </Notice>
    );
  }
  return (
    <Notice heading="h3" icon={FileQuestion} title={t('documents.noVersion', { n: place.version ?? 0 })}>
      <p className="text-sm text-muted">{t('documents.noVersion.text', { n: head.latest_version })}</p>
      <Button onClick={() => turn({ ...place, version: head.latest_version })}>
        {t('documents.newest', { n: head.latest_version })}
      </Button>
    </Notice>
  );
}
