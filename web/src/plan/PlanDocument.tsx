import { Code, Equal, Files, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Argument, Debate, Issue, Severity } from '@/api/types';
import type { LineRange } from '@/documents/changes/lineRange';
import { VersionChoice } from '@/documents/changes/VersionChoice';
import { linesOf } from '@/documents/content';
import { DocumentError } from '@/documents/DocumentError';
import { VersionFacts } from '@/documents/DocumentHeader';
import { useDocument, useDocumentVersion } from '@/documents/queries';
import { RawText } from '@/documents/RawText';
import { RenderedText } from '@/documents/RenderedText';
import { useT } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { type LedgerSource, useLedger } from '@/issues/useLedger';
import { documentRoute, openDocuments } from '@/lib/documentRoute';
import { type PlanRoute, THE_PLAN } from '@/lib/planRoute';
import { isWithinText } from '@/lib/useShortcuts';
import { Button, IconButton } from '@/ui/button';
import { Choices } from '@/ui/Choices';
import { Notice } from '@/ui/notice';
import { PanelHeader } from '@/ui/SidePanel';
import { TextSkeleton } from '@/ui/Skeleton';
import { toast } from '@/ui/toast';
import { AddCommentButton } from './AddCommentButton';
import { LineCommentForm, type Writing } from './LineCommentForm';
import { numberedLines, type PlanComment, placeLabel } from './lineComments';
import { placeText } from './lineRanges';
import PlanChanges from './PlanChanges';
import { type Selection, useLineSelection } from './useLineSelection';
import { useVersionAt } from './usePlan';
import type { PlanPanelState } from './usePlanPanel';

const NO_ISSUES: readonly Issue[] = [];

/** Where comments and issues from the plan wait until the ruling is sent. */
export interface Collector {
  comments: readonly PlanComment[];
  /** Keeps one that is being written, so that it is never lost; returns the key under which it is kept. */
  comment: (comment: Omit<PlanComment, 'key'>, key: string | null) => string | null;
  raise: (issue: { severity: Severity; title: string; location: string }) => void;
}

/** What of a debate is shown beside its plan. */
export interface DebateBesidePlan extends LedgerSource {
  debate: Debate;
  items: readonly Argument[];
  /** When the newest ruling was made. */
  ruledAt: string | null;
}

interface PlanDocumentProps {
  id: string;
  panel: PlanPanelState;
  /** The version that is the plan; null if the document is not the plan. */
  planVersion: number | null;
  isOther: boolean;
  /** The debate beside it. */
  debateView: DebateBesidePlan;
  onJump: (seq: number) => void;
  collector: Collector | null;
}

/** One document in the panel: a version or what changed, and what is done with selected lines. */
export function PlanDocument(props: PlanDocumentProps) {
  const { id, panel, planVersion, isOther, debateView, onJump, collector } = props;
  const { debate, items, ruledAt } = debateView;
  const t = useT();
  const { route } = panel;
  const document = useDocument(id, route.version ?? planVersion);
  const { versions, query, shown, info } = document;
  const form = route.form ?? document.usualForm;

  const known = useVersionAt(versions, ruledAt);
  const ruledVersion = known ?? null;
  const changed = shown !== null && (ruledVersion ?? 1) < shown.version;
  // Changes are shown since the last ruling if there are any, else since what the opponent saw, else since the draft.
  const unseen = !isOther && debate.plan?.seen === false;
  const base = (changed && ruledVersion) || (unseen && debate.plan?.seen_version) || 1;
  const from = route.from ?? (shown !== null && base < shown.version ? base : null);
  // What is asked for by its version is shown as it is; the plan is shown with what changed.
  const asked = route.version !== null || isOther;
  const view = route.view ?? (!asked && changed ? 'changes' : 'text');

  const { data: issues = NO_ISSUES } = useLedger(debateView, view === 'changes');

  const change = (part: Partial<PlanRoute>) => panel.change({ ...route, ...part });
  const switchForm = () => change({ form: form === 'rendered' ? 'raw' : 'rendered' });
  const region = useRef<HTMLElement>(null);
  const contentKey = `${shown?.version ?? ''} ${view} ${form} ${view === 'changes' ? from : ''}`;
  const commented = useMemo(
    () =>
      (collector?.comments ?? []).flatMap(({ documentId, version, from: first, to }) => {
        if (documentId !== id) return [];
        if (version === shown?.version) return { from: first, to, old: false };
        return view === 'changes' && version === from ? { from: first, to, old: true } : [];
      }),
    [collector?.comments, id, shown, view, from],
  );
  const lines = useLineSelection(region, collector !== null, commented, contentKey);
  const { selection, unitLines, commentButton } = lines;
  const [writing, setWriting] = useState<Writing>(null);
  /** The key of the comment that is being written. */
  const written = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new content
  useEffect(() => {
    region.current?.scrollTo(0, 0);
    setWriting(null);
    written.current = null;
  }, [contentKey]);
  const comments = collector?.comments;
  useEffect(() => {
    // It was sent with a ruling, or dropped there.
    if (written.current === null || comments?.some(({ key }) => key === written.current)) return;
    written.current = null;
    setWriting(null);
  }, [comments]);
  const { focus } = panel;
  useEffect(() => {
    if (focus !== null) region.current?.focus({ preventScroll: true });
  }, [focus]);

  const versionOf = ({ old }: Selection) => (old ? from : (shown?.version ?? null));
  const selectedVersion = selection && versionOf(selection);
  const oldVersion = useDocumentVersion(id, from ?? route.version ?? planVersion);
  const selectedText = selection?.old ? oldVersion.data?.version.content : shown?.content;
  const linesOfUnit = unitLines === null ? [] : numberedLines(selectedText ?? '', unitLines);

  /** Keeps a comment on the selected lines in the draft of the ruling; an empty one is dropped. */
  function comment(text: string, about: LineRange | null = selection) {
    if (about === null || selectedVersion === null || selectedText === undefined || !collector) return;
    const { from: first, to } = about;
    const place = { documentId: id, version: selectedVersion, from: first, to };
    const quote = linesOf(selectedText, first, to);
    written.current = collector.comment({ ...place, quote, text }, written.current);
  }
  /** Selects some of the lines, also for a comment that is being written. */
  function selectLines(some: LineRange) {
    lines.selectLines(some);
    const kept = comments?.find(({ key }) => key === written.current);
    if (kept !== undefined) comment(kept.text, some);
  }
  /** What was written about the selected lines is in the ruling. */
  function added(done: MessageKey) {
    written.current = null;
    setWriting(null);
    toast(t(done));
    // The lines keep the place, so that the keyboard goes on from there.
    const current = region.current?.querySelector<HTMLElement>('[data-selected]');
    (current?.tabIndex === -1 ? current : region.current)?.focus({ preventScroll: true });
    lines.drop();
  }
  function clear() {
    setWriting(null);
    lines.drop();
    lines.clear();
    region.current?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent) {
    // In a sheet, the dialog has prevented its own default of Escape.
    const handled = event.defaultPrevented && event.key !== 'Escape';
    if (handled || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select')) return;
    if (isWithinText(event.nativeEvent)) return;
    const run: Record<string, (() => void) | undefined> = {
      v: switchForm,
      d: () => change({ view: view === 'changes' ? 'text' : 'changes' }),
      c: selection === null ? undefined : () => setWriting('comment'),
      i: selection === null ? undefined : () => setWriting('issue'),
      Escape: selection === null ? undefined : clear,
    };
    const action = Object.hasOwn(run, event.key) ? run[event.key] : undefined;
    if (action === undefined) return lines.onKeyDown(event);
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  function body() {
    if (query.isError && shown === null) {
      return (
        <DocumentError
          document={document}
          version={route.version}
          onVersion={(version) => change({ version })}
        />
      );
    }
    if (shown === null || known === undefined) return <TextSkeleton />;
    if (view === 'changes') {
      if (info?.latest_version === 1)
        return <Notice heading="h3" icon={Equal} title={t('documents.single')} />;
      return (
        <PlanChanges
          from={from ?? 1}
          after={shown}
          form={form}
          around
          sources={{ debateId: debate.id, args: items, issues, onJump }}
          onRaw={() => change({ view: 'text', form: 'raw' })}
        />
      );
    }
    if (form === 'raw') return <RawText key={shown.version} content={shown.content} />;
    return <RenderedText key={shown.version} version={shown} onRaw={() => change({ form: 'raw' })} />;
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the controls in it
    <div onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col low:flex-none">
      <header className="border-b bg-card pb-2">
        <PanelHeader
          panel={panel}
          title={info === null ? undefined : info.title.trim() || t('documents.untitled')}
        >
          <Button
            variant="ghost"
            size="sm"
            aria-pressed={form === 'raw'}
            className="h-9! gap-1.5! px-2! aria-pressed:bg-arbitrator-soft aria-pressed:text-arbitrator!"
            onClick={switchForm}
          >
            <Code aria-hidden />
            {t('documents.view.raw')}
          </Button>
          <IconButton
            icon={Files}
            label={t('plan.large')}
            onClick={() => openDocuments(documentRoute(id, shown?.version ?? route.version ?? planVersion))}
          />
        </PanelHeader>
        {isOther && (
          <p className="mb-2 flex px-4">
            <Button size="sm" className="h-7!" onClick={() => panel.change(THE_PLAN)}>
              <Undo2 aria-hidden />
              {t('plan.back')}
            </Button>
          </p>
        )}
        {info !== null && shown !== null && (
          <>
            <div className="flex items-center gap-x-2 px-4 max-sm:flex-wrap max-sm:gap-y-1.5">
              <Choices
                label={t('plan.views')}
                chosen={view}
                choices={[
                  ['text', t('plan.view.text')],
                  ['changes', t('documents.view.changes')],
                ]}
                onChoose={(next) => change({ view: next })}
              />
              <VersionChoice
                from={view === 'changes' && info.latest_version > 1 ? (from ?? 1) : null}
                shown={shown.version}
                latest={info.latest_version}
                versions={versions.items}
                nameOf={nameOf}
                onFrom={(version) => change({ view: 'changes', from: version })}
                onShown={(version) => change({ id, version, view })}
              />
            </div>
            <div className="mt-1.5 flex min-h-6 flex-wrap items-center gap-x-2 px-4 text-xs text-muted-foreground">
              <VersionFacts info={info} shown={shown} />
              {planVersion !== null && planVersion > shown.version && (
                <Button size="sm" className="h-6!" onClick={() => panel.change(THE_PLAN)}>
                  {t('documents.newest', { n: planVersion })}
                </Button>
              )}
              {collector !== null && selection === null && (
                <span className="ml-auto">{t('plan.comment.how')}</span>
              )}
            </div>
          </>
        )}
      </header>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click selects a line, as J and K do */}
      <section
        ref={region}
        aria-label={view === 'changes' ? t('documents.view.changes') : t('plan.view.text')}
        aria-busy={query.isPending}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
        tabIndex={0}
        onMouseDownCapture={lines.onMouseCapture}
        onClickCapture={lines.onMouseCapture}
        onPointerMove={lines.onPointerMove}
        onPointerLeave={lines.onPointerLeave}
        onPointerDown={lines.onPointerDown}
        onClick={writing === null ? lines.onClick : undefined}
        className="plan-text relative flex min-h-0 flex-1 flex-col low:h-[75dvh] low:flex-none overflow-y-auto outline-offset-[-2px]"
      >
        {body()}
        {commentButton !== null && writing === null && (
          <AddCommentButton
            top={commentButton.top}
            height={commentButton.height}
            numbered={commentButton.numbered}
            place={placeLabel(t, versionOf(commentButton.lines) ?? 1, commentButton.lines)}
            onClick={() => {
              commentButton.select();
              setWriting('comment');
            }}
          />
        )}
      </section>
      {selection !== null && selectedVersion !== null && collector !== null && (
        <LineCommentForm
          version={selectedVersion}
          lines={selection}
          writing={writing}
          unitLines={linesOfUnit}
          onSelect={selectLines}
          onWrite={(next) => {
            if (next === null) comment('');
            setWriting(next);
            if (next === null) region.current?.focus({ preventScroll: true });
          }}
          onType={comment}
          onComment={(text) => {
            comment(text);
            added('plan.commented');
          }}
          onRaise={(severity, title) => {
            const location = placeText({ ...selection, documentId: id, version: selectedVersion });
            collector.raise({ severity, title, location });
            added('plan.raised');
          }}
          onClear={clear}
        />
      )}
    </div>
  );

  function nameOf(version: number): string | null {
    if (version === ruledVersion) return t('plan.ruled');
    if (version === planVersion) return t('plan.cited');
    return planVersion !== null && version === debate.plan?.seen_version ? t('plan.seen') : null;
  }
}
