import { startTransition, useEffect, useMemo, useState } from 'react';
import type { DocumentVersion } from '@/api/types';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { truncateForRendering } from './content';
import { download } from './download';
import { splitMarkdown } from './splitMarkdown';

interface RenderedTextProps {
  version: DocumentVersion;
  /** Whether lines can be selected in it. */
  selectable?: boolean;
  onRaw: () => void;
}

export function RenderedText({ version, selectable = false, onRaw }: RenderedTextProps) {
  const t = useT();
  const { sections, cut } = useMemo(() => {
    const whole = truncateForRendering(version.content);
    return { sections: splitMarkdown(whole.text), cut: whole.cut };
  }, [version]);
  // The first section at once, and the rest as a transition, which does not block the page.
  const [count, setCount] = useState(1);
  useEffect(() => startTransition(() => setCount(sections.length)), [sections]);
  return (
    <div className="mx-auto w-full max-w-[50rem] px-4 py-5 sm:px-8">
      {version.content === '' ? (
        <p className="text-muted-foreground italic">{t('documents.blank')}</p>
      ) : (
        sections.slice(0, count).map(({ text, headingsAbove, firstLine }, index) => (
          <Markdown
            // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other key
            key={index}
            text={text}
            headingsAbove={headingsAbove}
            {...(selectable && { firstLine })}
            scope={`d${version.version}-${index}`}
          />
        ))
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
      <Metadata metadata={version.metadata} />
    </div>
  );
}

function Metadata({ metadata }: { metadata: DocumentVersion['metadata'] }) {
  const t = useT();
  if (Object.keys(metadata).length === 0) return null;
  return (
    <details className="mt-8 border-t pt-3 text-sm text-muted-foreground">
      <summary className="cursor-pointer rounded">{t('documents.metadata')}</summary>
      <pre className="mt-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {JSON.stringify(metadata, null, 2)}
      </pre>
    </details>
  );
}
