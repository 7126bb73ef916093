import { Fragment, type ReactNode } from 'react';
import type { AppealOption, Issue, RulingChange } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { shortened } from '@/lib/shortened';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { TextParts } from '@/ui/TextParts';
import { type ChangeGroup, groupsOf, markedRanges, verbText } from './ruling/changeGroups';

/** So many issues are named by their titles where there is room. */
export const MOST_TITLES = 3;
/** In letters: about a line. */
const SHORT_NOTE = 60;
const NONE = [] as const;

interface OptionDecidesProps {
  changes?: readonly RulingChange[];
  find: (id: string) => Issue | undefined;
  /** The issues that the appeal refers and that the option leaves as they are. */
  undecided?: readonly string[];
  /** The issues on which the ruling decides otherwise. */
  departed?: readonly string[];
  /** The verbs that the options before it have, which a phone has no room to explain again; null if none is explained. */
  explained?: readonly string[] | null;
  /** Whether the issues are named by their titles, if they are few. */
  titled?: boolean;
  /** Whether it is said with the notes, or only with how they begin. */
  notes?: 'whole' | 'short' | 'none';
  /** Whether only the first lines of all of it are shown. */
  folded?: boolean;
  /** Whether the debate has gone on since: issues have other severities now than when it was decided. */
  past?: boolean;
}

/** What an option makes of which issues, in the words in which a ruling is told. Nothing if it says nothing of issues. */
export function OptionDecides(props: OptionDecidesProps) {
  const { changes = NONE, find, undecided = NONE, departed = NONE, explained = null } = props;
  const { titled = false, notes = 'whole', folded = false, past = false } = props;
  const t = useT();
  const shownOf = ({ note }: RulingChange) => {
    if (!note || notes === 'none') return '';
    return notes === 'short' ? shortened(note, SHORT_NOTE) : note;
  };
  const keyed = changes.map((change) => ({
    key: change.issue ?? '',
    change: { ...change, note: shownOf(change) },
  }));
  const groups = groupsOf(keyed, (key) => departed.includes(key));
  const ids = [...keyed.map(({ key }) => key), ...undecided];
  if (groups.length + undecided.length === 0) return null;
  // What gets another severity says from which.
  const marked = (keys: readonly string[], verb: string, regrades = false) => (
    <MarkedIds
      keys={keys}
      verb={verb}
      markOf={(id) => {
        const issue = past || !regrades ? undefined : find(id);
        return issue ? t.label('severity', issue.severity) : '';
      }}
    />
  );
  const known = ids.flatMap((id) => find(id) ?? []);
  const parts: (readonly [string, ReactNode])[] = [
    ...groups.map((group, index) => {
      const { change, severity } = group.change;
      const isLast = groups.findLastIndex((other) => other.change.change === change) === index;
      return [
        group.keys.join(' '),
        <Group
          key={group.keys[0]}
          group={group}
          departs={departed.includes(group.keys[0] ?? '')}
          means={(explained !== null && isLast && t.find(`decide.${change}.does`)) || ''}
          again={explained?.includes(change) === true}
        >
          {marked(group.keys, verbText(t, group.change), severity !== undefined)}
        </Group>,
      ] as const;
    }),
    ...(undecided.length === 0
      ? []
      : [['undecided', marked(undecided, t('ruling.options.undecided'))] as const]),
  ];
  return (
    <>
      <span
        data-decides
        data-shortened={changes.some((change) => shownOf(change) !== (change.note ?? '')) || undefined}
        title={known.map((issue) => issueText(t, issue, past)).join('\n')}
        className={cn('text-xs text-arbitrator tabular-nums', folded ? 'line-clamp-4' : 'block')}
      >
        {parts.map(([key, part], index) => (
          <Fragment key={key}>
            {index > 0 && ' · '}
            {part}
          </Fragment>
        ))}
      </span>
      {titled && ids.length <= MOST_TITLES && (
        <span data-decided-titles className="mt-0.5 block text-xs font-normal text-muted-foreground">
          {known.map((issue) => (
            <span key={issue.id} dir="auto" className="block">
              <InlineText text={issueText(t, issue, past)} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}

/** `I2 (High): Never evicted` */
const issueText = (t: Translate, { id, severity, title }: Issue, past: boolean) =>
  `${id}${past ? '' : ` (${t.label('severity', severity)})`}: ${title}`;

interface GroupProps {
  group: ChangeGroup;
  departs: boolean;
  /** What the verb means, where that is told. */
  means: string;
  /** Whether that was told before. */
  again: boolean;
  children: ReactNode;
}

/** What becomes of some issues, and why; or else what that means. */
function Group({ group: { change }, departs, means, again, children }: GroupProps) {
  const t = useT();
  const note = change.note ?? '';
  const said = (
    <>
      {children}
      {note === '' && means !== '' && (
        <span className={cn('text-muted-foreground', again && 'max-sm:hidden')}>: {means}</span>
      )}
      {note !== '' && <TextParts parts={[': ', { written: `“${note}”` }]} />}
    </>
  );
  return departs ? <del title={t('ruling.departed')}>{said}</del> : said;
}

interface MarkedIdsProps {
  keys: readonly string[];
  verb: string;
  /** The severity of an issue, where it is told. */
  markOf: (id: string) => string;
}

/** `I1–I3, I5 (High) upheld`: no line ends within a number, nor before the verb. */
function MarkedIds({ keys, verb, markOf }: MarkedIdsProps) {
  const ranges = markedRanges(keys, markOf);
  return ranges.map(({ text, mark }, index) => (
    <Fragment key={text}>
      {index > 0 && ' '}
      <span className="min-[23rem]:whitespace-nowrap">
        {text}
        {mark !== '' && <strong className="font-semibold text-warning"> ({mark})</strong>}
        {index < ranges.length - 1 ? ',' : ` ${verb}`}
      </span>
    </Fragment>
  ));
}

/** That an option leaves all issues as they are. */
export function DecidesNone() {
  const t = useT();
  return (
    <span data-decides-none className="text-xs font-normal text-muted-foreground">
      {t('ruling.options.none')}
    </span>
  );
}

/** Whether it has to be told that an option decides no issue: where there are issues to decide. What is decided in words is not known. */
export function decidesNone(
  option: AppealOption,
  options: readonly AppealOption[],
  issues: readonly Issue[],
): boolean {
  const decides = ({ issue_changes = [] }: AppealOption) => issue_changes.length > 0;
  return (
    !option.free_form &&
    !decides(option) &&
    (options.some(decides) || issues.some(({ referred }) => referred))
  );
}

/** The issues that the appeal refers and that an option leaves as they are, while it decides others. */
export function undecidedBy(
  { free_form, issue_changes = [] }: AppealOption,
  issues: readonly Issue[],
): readonly string[] {
  if (free_form || issue_changes.length === 0) return NONE;
  const decided = new Set(issue_changes.map(({ issue }) => issue));
  return issues.flatMap(({ id, referred }) => (referred && !decided.has(id) ? id : []));
}
