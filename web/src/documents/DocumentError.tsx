import { FileQuestion, TriangleAlert } from 'lucide-react';
import type { ApiError } from '@/api/client';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { TextSkeleton } from '@/ui/Skeleton';
import type { useDocument } from './queries';

interface DocumentErrorProps {
  document: ReturnType<typeof useDocument>;
  /** The version that was asked for. */
  version: number | null;
  /** Shows a version that there is. */
  onVersion: (version: number) => void;
}

export function DocumentError({ document, version, onVersion }: DocumentErrorProps) {
  const t = useT();
  const { id, versions, query, info } = document;
  // The list of versions tells whether the document or only the version is missing.
  if (versions.isFetching && info === null) return <TextSkeleton />;
  // A malformed id, as from a truncated link, is shown like an unknown one.
  const code = query.error?.failure.code;
  if (code !== 'DOCUMENT_NOT_FOUND' && code !== 'INVALID_INPUT') return <LoadingFailed query={query} />;
  if (info === null) {
    const text = t('documents.missing.text', { id });
    return <Notice heading="h3" icon={FileQuestion} title={t('documents.missing')} text={text} />;
  }
  const { latest_version: n } = info;
  return (
    <Notice
      heading="h3"
      icon={FileQuestion}
      title={t('documents.noVersion', { n: version ?? 0 })}
      text={t('documents.noVersion.text', { n })}
    >
      <Button onClick={() => onVersion(n)}>{t('documents.newest', { n })}</Button>
    </Notice>
  );
}

export function LoadingFailed({ query }: { query: { error: ApiError | null; refetch: () => unknown } }) {
  const t = useT();
  const text = query.error === null ? '' : t.failure(query.error.failure);
  return (
    <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')} text={text}>
      <Button onClick={() => query.refetch()}>{t('failed.retry')}</Button>
    </Notice>
  );
}
