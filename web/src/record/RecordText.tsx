import { Check, CircleAlert, FileText, PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Argument, DebateRecord, Issue, SignedRecord } from '@/api/types';
import { useT } from '@/i18n';
import { ChangeBadges } from '@/issues/ChangeBadges';
import { NoteText } from '@/issues/NoteText';
import { SeverityBadge } from '@/issues/SeverityBadge';
import { StatusLabel } from '@/issues/StatusLabel';
import { documentRoute } from '@/lib/documentRoute';
import { debatePath } from '@/lib/router';
import { Markdown } from '@/markdown/Markdown';
import { cn } from '@/ui/cn';
import { DocumentLink } from '@/ui/DocumentLink';
import { Link } from '@/ui/Link';
import { dissentOf } from './dissent';
import { OutcomeBadge } from './OutcomeBadge';
import { RecordFigures } from './RecordFigures';

/** The record as a page to be read from its first line to its last. */
export function RecordText({ signed, motion }: { signed: SignedRecord; motion: Argument }) {
  const t = useT();
  const { record } = signed;
  const { debate, decision, plan, rulings, issues } = record;
  const dissent = dissentOf(issues);
  return (
    <article className="record mx-auto w-full max-w-[50rem] px-4 py-8 sm:px-8 print:p-0">
      {record.outcome === 'open' && (
        <p className="mb-6 flex items-center gap-2.5 rounded-xl border border-dashed px-4 py-2.5 text-sm text-muted-foreground">
          <PencilLine aria-hidden className="size-4 shrink-0" />
          {t('record.draft')}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
        <OutcomeBadge outcome={record.outcome} />
        <span>{t.label('type', debate.debate_type)}</span>
        <time dateTime={decision?.created_at ?? debate.updated_at}>
          {t.dateTime(decision?.created_at ?? debate.updated_at)}
        </time>
      </p>
      <h1
        dir="auto"
        tabIndex={-1}
        className="mt-2.5 outline-none text-2xl leading-tight font-semibold tracking-tight text-balance wrap-anywhere"
      >
        {debate.title}
      </h1>

      <Part title={t('record.decision')}>
        {decision === null ? (
          <p className="text-muted-foreground">{t('record.undecided')}</p>
        ) : (
          <div className="rounded-xl border border-arbitrator/25 bg-arbitrator-soft px-4 py-3.5">
            <Markdown text={decision.content} scope="record-decision" />
          </div>
        )}
        {plan !== null && <Plan plan={plan} />}
      </Part>

      <Part title={t('record.context')}>
        <Markdown text={motion.content} scope="record-motion" />
      </Part>

      {rulings.length > 0 && (
        <Part title={t('record.rulings')}>
          <ol className="grid grid-cols-1 gap-5">
            {rulings.map((ruling) => (
              <Ruling
                key={ruling.seq}
                debateId={debate.id}
                ruling={ruling}
                isDecision={ruling.seq === decision?.seq}
              />
            ))}
          </ol>
        </Part>
      )}

      <Part title={t('issues.title')}>
        {issues.length === 0 ? (
          <p className="text-muted-foreground">{t('record.noIssues')}</p>
        ) : (
          <IssueTable issues={issues} />
        )}
      </Part>

      {dissent.length > 0 && (
        <Part title={t('record.dissent')}>
          <p className="mb-2 text-sm text-muted-foreground">{t('record.dissent.text')}</p>
          <ul className="grid gap-1.5 text-sm">
            {dissent.map(({ id, title, status }) => (
              <li key={id} className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-mono text-xs font-semibold">{id}</span>
                <span dir="auto" className="wrap-anywhere">
                  {title}
                </span>
                <StatusLabel status={status} />
              </li>
            ))}
          </ul>
        </Part>
      )}

      <Part title={t('record.figures')}>
        <RecordFigures statistics={record.statistics} />
      </Part>

      <Part title={t('record.check')}>
        <Proof signed={signed} />
      </Part>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9">
      <h2 className="mb-3 text-base font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

function Plan({ plan }: { plan: NonNullable<DebateRecord['plan']> }) {
  const t = useT();
  return (
    <div className="mt-3 rounded-xl border bg-card px-4 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <FileText aria-hidden className="size-4 text-muted-foreground" />
        <DocumentLink
          route={documentRoute(plan.document_id, plan.version)}
          className="font-medium underline decoration-dotted underline-offset-3"
        >
          {t('record.plan', { n: plan.version })}
        </DocumentLink>
        <span dir="auto" className="min-w-0 text-muted-foreground wrap-anywhere">
          {plan.summary}
        </span>
      </p>
      <p className="mt-1.5 font-mono text-xs text-muted-foreground wrap-anywhere">
        doc_id={plan.document_id} v{plan.version}
        <br />
        SHA-256 {plan.sha256}
      </p>
      {!plan.seen_by_opponent && (
        <p className="mt-2 flex items-start gap-1.5 text-[13px] text-destructive">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {t('record.unseen')}
        </p>
      )}
    </div>
  );
}

interface RulingProps {
  debateId: string;
  ruling: DebateRecord['rulings'][number];
  /** Whether its text is shown already, as the decision. */
  isDecision: boolean;
}

function Ruling({ debateId, ruling, isDecision }: RulingProps) {
  const t = useT();
  const { seq, on, on_seq, options, chosen_option, content, issue_changes, created_at } = ruling;
  return (
    <li className="border-l-2 border-arbitrator/40 pl-4">
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <Link
          href={debatePath(debateId, seq)}
          aria-label={t('argument.jump', { seq })}
          className="font-semibold tabular-nums hover:underline"
        >
          #{seq}
        </Link>
        <span className="text-muted-foreground">
          {t('record.on', { what: t.label('argument', on), seq: on_seq })}
        </span>
        <time
          dateTime={created_at}
          title={t.dateTime(created_at)}
          className="ml-auto text-xs text-muted-foreground tabular-nums"
        >
          {t.time(created_at)}
        </time>
      </p>
      {options !== null && options.length > 0 && (
        <ol className="my-2 grid gap-1 text-sm">
          {options.map((option, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: options have no other key
              key={index}
              className={cn('flex gap-2', index !== chosen_option && 'text-muted-foreground')}
            >
              <span className="grid w-4 shrink-0 place-items-center">
                {index === chosen_option ? (
                  <Check aria-hidden className="size-4 text-arbitrator" />
                ) : (
                  <span aria-hidden>·</span>
                )}
              </span>
              <span dir="auto" className={cn('wrap-anywhere', index === chosen_option && 'font-medium')}>
                {option.label}
                {index === chosen_option && <span className="sr-only"> ({t('record.chosen')})</span>}
                {option.detail && (
                  <span className="font-normal text-muted-foreground"> – {option.detail}</span>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {issue_changes.length > 0 && (
        <div className="mt-2">
          <ChangeBadges changes={issue_changes} />
        </div>
      )}
      <div className="mt-1.5">
        {isDecision ? (
          <p className="text-sm text-muted-foreground">{t('record.closing')}</p>
        ) : (
          <Markdown text={content} scope={`record-${seq}`} />
        )}
      </div>
    </li>
  );
}

function IssueTable({ issues }: { issues: readonly Issue[] }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={t('issues.title')}
      className="overflow-x-auto print:overflow-visible"
    >
      <table className="w-full min-w-[34rem] border-collapse text-left text-sm print:min-w-0">
        <thead className="text-xs text-muted-foreground">
          <tr className="border-b">
            {(['record.issue', 'ruling.raise.severity', 'record.what', 'record.status'] as const).map(
              (key) => (
                <th key={key} scope="col" className="py-2 pr-4 font-medium">
                  {t(key)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {issues.map(({ id, severity, title, location, status, note }) => (
            <tr key={id} className="border-b align-top">
              <th scope="row" className="py-2.5 pr-4 font-mono text-xs font-semibold">
                {id}
              </th>
              <td className="py-2.5 pr-4">
                <SeverityBadge severity={severity} />
              </td>
              <td dir="auto" className="py-2.5 pr-4 wrap-anywhere">
                {title}
                {location !== null && (
                  <span className="block font-mono text-xs text-muted-foreground">{location}</span>
                )}
                {note !== null && (
                  <span className="mt-0.5 block text-[13px] text-muted-foreground">
                    <NoteText text={note} />
                  </span>
                )}
              </td>
              <td className="py-2.5">
                <StatusLabel status={status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What is needed to check that the record is of this debate. */
function Proof({ signed: { record, signature } }: { signed: SignedRecord }) {
  const t = useT();
  const rows: [string, string][] = [
    [t('record.id'), record.debate.id],
    [t('record.head'), record.head],
    ...(signature === null
      ? []
      : ([
          [t('record.key'), signature.public_key],
          [t('record.signature'), signature.signature],
        ] as [string, string][])),
  ];
  return (
    <>
      <dl className="grid gap-x-6 gap-y-1.5 text-xs sm:grid-cols-[auto_1fr]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="font-mono text-xs wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {signature === null && <p className="mt-2 text-xs text-muted-foreground">{t('record.unsigned')}</p>}
      <details className="mt-4 text-sm">
        <summary className="cursor-pointer rounded text-muted-foreground">
          {t('record.arguments', { n: record.arguments.length })}
        </summary>
        <ol className="mt-2 grid gap-1 text-xs">
          {record.arguments.map(({ seq, type, role, created_at, hash }) => (
            <li key={seq} className="flex flex-wrap gap-x-3 tabular-nums">
              <Link
                href={debatePath(record.debate.id, seq)}
                aria-label={t('argument.jump', { seq })}
                className="w-10 hover:underline"
              >
                #{seq}
              </Link>
              <span className="w-40">
                {t.label('role', role)}, {t.label('argument', type)}
              </span>
              <time dateTime={created_at} className="w-32 text-muted-foreground">
                {t.time(created_at)}
              </time>
              <code className="font-mono text-xs text-muted-foreground wrap-anywhere">{hash}</code>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
