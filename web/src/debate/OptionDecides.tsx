import { Fragment, type ReactNode } from 'react';
import type { AppealOption, Issue } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { type ChangeGroup, groupsOf, markedRanges, verbText } from './ruling/changeGroups';

/** So many issues are named by their titles where there is room. */
const MOST_TITLES = 3;
const NONE = [] as const;

interface OptionDecidesProps {
  option: AppealOption;
  find: (id: string) => Issue | undefined;
  /** The issues that the appeal refers and that the option leaves as they are. */
  undecided?: readonly string[];
  /** The issues on which the ruling decides otherwise. */
  departed?: readonly string[];
  whole: boolean;
}

/** What an option makes of which issues, in the words in which a ruling is told. Nothing if it says nothing of issues. */
export function OptionDecides(props: OptionDecidesProps) {
  const { option, find, undecided = NONE, departed = NONE, whole } = props;
  const t = useT();
  const changes = (option.issue_changes ?? []).map((change) => ({ key: change.issue, change }));
  const groups = groupsOf(changes, (key) => departed.includes(key));
  const ids = [...changes.map(({ key }) => key), ...undecided];
  if (groups.length + undecided.length === 0) return null;
  const severe = (id: string) => {
    const issue = find(id);
    return issue?.blocking ? t.label('severity', issue.severity) : '';
  };
  const marked = (keys: readonly string[], verb: string) => (
    <MarkedIds keys={keys} verb={verb} markOf={severe} />
  );
  const named = ids.flatMap((id) => find(id) ?? []);
  const parts: (readonly [string, ReactNode])[] = [
    ...groups.map(
      (group) =>
        [
          group.keys.join(' '),
          <Group key={group.keys[0]} group={group} departs={departed.includes(group.keys[0] ?? '')}>
            {marked(group.keys, verbText(t, group.change))}
          </Group>,
        ] as const,
    ),
    ...(undecided.length === 0
      ? []
      : [['undecided', marked(undecided, t('ruling.options.undecided'))] as const]),
  ];
  return (
    <>
      <span
        data-cut
        data-decides
        title={named.map((issue) => issueText(t, issue)).join('\n')}
        className={cn('text-xs text-arbitrator tabular-nums', whole ? 'block' : 'line-clamp-2')}
      >
        {parts.map(([key, part], index) => (
          <Fragment key={key}>
            {index > 0 && ' · '}
            {part}
          </Fragment>
        ))}
      </span>
      {whole && ids.length <= MOST_TITLES && (
        <span data-decided-titles className="mt-0.5 block text-xs font-normal text-muted-foreground">
          {named.map((issue) => (
            <span key={issue.id} dir="auto" className="block">
              <InlineText text={issueText(t, issue)} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}

/** `I2 (High): Never evicted` */
const issueText = (t: Translate, { id, severity, title }: Issue) =>
  `${id} (${t.label('severity', severity)}): ${title}`;

interface GroupProps {
  group: ChangeGroup;
  departs: boolean;
  children: ReactNode;
}

/** What becomes of some issues, and why. */
function Group({ group: { change }, departs, children }: GroupProps) {
  const t = useT();
  const said = (
    <>
      {children}
      {change.note && (
        <>
          : “<InlineText text={change.note} />”
        </>
      )}
    </>
  );
  return departs ? <del title={t('ruling.departed')}>{said}</del> : said;
}

interface MarkedIdsProps {
  keys: readonly string[];
  verb: string;
  /** The severity of an issue that keeps the proposer from finishing. */
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

/** The issues that the appeal refers and that an option leaves as they are; not told where no option decides any. */
export function undecidedBy(
  option: AppealOption,
  options: readonly AppealOption[],
  issues: readonly Issue[],
): readonly string[] {
  const told = !option.free_form && options.some(({ issue_changes = [] }) => issue_changes.length > 0);
  const decides = (id: string) => option.issue_changes?.some(({ issue }) => issue === id);
  return told ? issues.flatMap(({ id, referred }) => (referred && !decides(id) ? id : [])) : [];
}
