import type { DocumentVersion } from '@/api/types';
import { useT } from '@/i18n';
import { DocumentText } from '@/markdown/DocumentText';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/Disclosure';
import { download, truncateForRendering } from './content';

export function RenderedText({ version, onRaw }: { version: DocumentVersion; onRaw: () => void }) {
  const t = useT();
  const { text, cut } = truncateForRendering(version.content);
  return (
    <div className="rendered-text mx-auto w-full max-w-[50rem] px-4 py-5 sm:px-8">
      {version.content === '' ? (
        <p className="text-muted-foreground italic">{t('documents.blank')}</p>
      ) : (
        <DocumentText text={text} scope={`d${version.version}`} />
      )}
      {cut && (
        <p className="mt-6 flex flex-wrap items-center gap-3 rounded-xl border bg-card px-4 py-3 text-sm text-muted-foreground">
          {t('documents.cut')}
          <Button size="sm" onClick={onRaw}>
            {t('documents.view.raw')}
          </Button>
          <Button size="sm" onClick={() => download(version)}>
            {t('documents.download')}
          </Button>
        </p>
      )}
      {Object.keys(version.metadata).length > 0 && (
        <Disclosure title={t('documents.metadata')} className="mt-8 border-t pt-3">
          {() => (
            <pre className="mt-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap text-muted-foreground">
              {JSON.stringify(version.metadata, null, 2)}
            </pre>
          )}
        </Disclosure>
      )}
    </div>
  );
}
