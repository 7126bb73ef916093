import { QueryClientProvider } from '@tanstack/react-query';
import { ArrowLeft, Braces, FileText, MessagesSquare, Printer, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '@/api/client';
import type { Argument, Debate, SignedRecord } from '@/api/types';
import { createQueryClient } from '@/documents/queries';
import { TextSkeleton } from '@/documents/TextSkeleton';
import { useT } from '@/i18n';
import { closeRecord } from '@/lib/recordRoute';
import { debatePath } from '@/lib/router';
import { Button } from '@/ui/button';
import { IssueLinksContext, linksIntoDebate } from '@/ui/IssueLink';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/notice';
import { toast } from '@/ui/toast';
import { RecordText } from './RecordText';
import { recordFileName, save } from './save';
import { useRecord } from './useRecord';

interface RecordScreenProps {
  debate: Debate;
  motion: Argument;
}

/** What a debate decided, on one page that can be printed. */
export default function RecordScreen(props: RecordScreenProps) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <RecordPage {...props} />
    </QueryClientProvider>
  );
}

function RecordPage({ debate, motion }: RecordScreenProps) {
  const t = useT();
  const query = useRecord(debate.id, debate.last_seq);
  const region = useRef<HTMLElement>(null);
  const issues = query.data?.record.issues;
  const issueLinks = useMemo(() => linksIntoDebate(debate.id, issues ?? []), [debate.id, issues]);
  const loaded = query.data !== undefined;
  // The heading gets the focus, so that screen readers begin there and the keys scroll the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is no heading before
  useEffect(() => region.current?.querySelector('h1')?.focus({ preventScroll: true }), [loaded]);
  return (
    <div className="record-screen flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-2 border-b bg-background/90 px-3 py-2.5 sm:px-6 print:hidden">
        <Link
          href={debatePath(debate.id)}
          onNavigate={closeRecord}
          className="mr-auto inline-flex h-9 items-center gap-2 rounded-lg px-2 text-sm font-medium text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t('record.back')}</span>
        </Link>
        <div className="flex flex-wrap items-center gap-2 max-sm:[&_svg]:hidden">
          {query.data && <Downloads signed={query.data} />}
        </div>
      </header>
      <section
        ref={region}
        aria-label={t('record.title')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-offset-[-2px]"
      >
        {query.data ? (
          <IssueLinksContext value={issueLinks}>
            <RecordText signed={query.data} motion={motion} />
          </IssueLinksContext>
        ) : query.isError ? (
          <Notice heading="h1" icon={TriangleAlert} title={t('record.failed')}>
            <p className="text-sm text-muted-foreground">{t.failure(query.error.failure)}</p>
            <Button onClick={() => void query.refetch()}>{t('failed.retry')}</Button>
          </Notice>
        ) : (
          <TextSkeleton />
        )}
      </section>
    </div>
  );
}

function Downloads({ signed }: { signed: SignedRecord }) {
  const t = useT();
  const { title, id } = signed.record.debate;

  async function saveText(format: 'markdown' | 'transcript') {
    try {
      const name = format === 'markdown' ? 'record.md' : 'transcript.md';
      save(await api.renderedRecord(id, format), recordFileName(title, id, name), 'text/markdown');
    } catch {
      toast(t('record.text.failed'), 'bad');
    }
  }
  return (
    <>
      <Button size="sm" onClick={() => void saveText('markdown')}>
        <FileText aria-hidden />
        {t('record.markdown')}
      </Button>
      <Button
        size="sm"
        onClick={() =>
          save(
            `${JSON.stringify(signed, null, 2)}\n`,
            recordFileName(title, id, 'record.json'),
            'application/json',
          )
        }
      >
        <Braces aria-hidden />
        {t('record.json')}
      </Button>
      <Button size="sm" onClick={() => void saveText('transcript')}>
        <MessagesSquare aria-hidden />
        {t('record.transcript')}
      </Button>
      <Button size="sm" variant="primary" onClick={() => window.print()}>
        <Printer aria-hidden />
        {t('record.print')}
      </Button>
    </>
  );
}
