import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download, PencilLine, Printer, TriangleAlert } from 'lucide-react';
import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { ScrollRegion } from '@/documents/ScrollRegion';
import { useT } from '@/i18n';
import { debatePath, navigate } from '@/lib/router';
import { fileNameOf, save } from '@/lib/save';
import { DocumentText } from '@/markdown/DocumentText';
import { Button } from '@/ui/button';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/notice';
import { TextSkeleton } from '@/ui/Skeleton';
import { toast } from '@/ui/toast';
import { forReading } from './forReading';

/** What a debate decided, as the server writes it, on one page that can be printed. */
export default function RecordScreen({ debate, over }: { debate: Debate; over: boolean }) {
  const t = useT();
  const query = useQuery({
    queryKey: ['record', 'markdown', debate.id, debate.last_seq],
    queryFn: async () =>
      forReading(
        await api.renderedRecord(debate.id, 'markdown'),
        debate.id,
        location.origin + debatePath(debate.id),
      ),
  });
  return (
    <div className="record-screen flex min-h-0 flex-1 flex-col low:overflow-y-auto">
      <header className="flex flex-wrap items-center gap-2 border-b bg-background/90 px-3 py-2.5 sm:px-6 print:hidden">
        <Link
          href={debatePath(debate.id)}
          onNavigate={() => navigate(location.pathname + location.hash)}
          className="mr-auto inline-flex h-9 items-center gap-2 rounded-lg px-2 text-sm font-medium text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t('record.back')}</span>
        </Link>
        <div className="flex flex-wrap items-center gap-2 max-sm:*:gap-1! max-sm:*:px-2!">
          {query.data && <Downloads debate={debate} />}
        </div>
      </header>
      <ScrollRegion label={t('record.title')} contentKey={debate.id} busy={query.isPending}>
        {query.data ? (
          <article className="record mx-auto w-full max-w-[50rem] px-4 py-8 sm:px-8 print:p-0">
            {!over && (
              <p className="mb-6 flex items-center gap-2.5 rounded-xl border border-dashed px-4 py-2.5 text-sm text-muted-foreground">
                <PencilLine aria-hidden className="size-4 shrink-0" />
                {t('record.draft')}
              </p>
            )}
            {/* The server writes it in English. */}
            <div lang="en">
              <DocumentText text={query.data} scope="record" levelsAbove={0} />
            </div>
          </article>
        ) : query.isError ? (
          <Notice heading="h1" icon={TriangleAlert} title={t('documents.failed')}>
            <Button onClick={() => void query.refetch()}>{t('failed.retry')}</Button>
          </Notice>
        ) : (
          <TextSkeleton />
        )}
      </ScrollRegion>
    </div>
  );
}

const FORMATS = [
  { format: 'markdown', file: 'record.md', type: 'text/markdown' },
  { format: 'json', file: 'record.json', type: 'application/json' },
  { format: 'transcript', file: 'transcript.md', type: 'text/markdown' },
] as const;

function Downloads({ debate: { id, title } }: { debate: Debate }) {
  const t = useT();

  async function saveAs({ format, file, type }: (typeof FORMATS)[number]) {
    try {
      const text = await api.renderedRecord(id, format);
      // Of the answer, the record and its signature.
      const saved = format === 'json' ? `${JSON.stringify(JSON.parse(text).data, null, 2)}\n` : text;
      save(saved, fileNameOf(title, id, file), type);
    } catch {
      toast(t('documents.failed'), 'bad');
    }
  }
  return (
    <>
      {FORMATS.map((choice) => (
        <Button
          key={choice.format}
          size="sm"
          title={t(`record.${choice.format}.text`)}
          onClick={() => void saveAs(choice)}
        >
          <Download aria-hidden />
          {t(`record.${choice.format}`)}
        </Button>
      ))}
      <Button size="sm" onClick={() => window.print()}>
        <Printer aria-hidden className="max-sm:hidden" />
        {t('record.print')}
      </Button>
    </>
  );
}
