import {
  type AppealOption,
  type ChangeRule,
  type Failure,
  type Issue,
  type RulingChange,
  SEVERITIES,
  type Severity,
} from '@/api/types';

/** What each change needs and does, as the server tells it; nothing until it has. */
export type ChangeRules = Readonly<Record<string, ChangeRule>>;

/** The changes that the server says a ruling may make of an issue. */
export function choicesOf({ may }: Issue): readonly string[] {
  return may?.arbitrator ?? [];
}

export function needs(what: 'note' | 'severity', change: string, rules: ChangeRules): boolean {
  return rules[change]?.needs.includes(what) ?? false;
}

/** What a ruling makes of an issue. Issues without a decision stay as they are. */
export interface Decision {
  change: string;
  note: string;
  /** The new one, of what is regraded. */
  severity?: NewIssue['severity'];
}

/** An issue that a ruling raises. */
export interface NewIssue {
  key: string;
  severity: Severity;
  title: string;
  location: string;
}

/** The part of a draft that is about issues. */
export interface IssueDecisions {
  /** By the id of the issue. */
  decisions: Readonly<Record<string, Decision>>;
  raised: readonly NewIssue[];
}

export const NO_DECISIONS: IssueDecisions = { decisions: {}, raised: [] };

/** The beginning of the keys of new issues, which ids of issues do not have. */
const NEW = 'new-';

/** A change to be sent, and the issue or the new issue that it belongs to. */
export interface KeyedChange {
  key: string;
  change: RulingChange;
}

export function withDecision(all: IssueDecisions, id: string, decision: Decision | null): IssueDecisions {
  const { [id]: _, ...others } = all.decisions;
  return { raised: all.raised, decisions: decision === null ? others : { ...all.decisions, [id]: decision } };
}

export function withNewIssue(
  { decisions, raised }: IssueDecisions,
  known: Partial<Omit<NewIssue, 'key'>> = {},
): IssueDecisions {
  const next = raised.reduce((most, { key }) => Math.max(most, Number(key.slice(NEW.length))), 0) + 1;
  return {
    decisions,
    raised: [...raised, { key: `${NEW}${next}`, severity: 'medium', title: '', location: '', ...known }],
  };
}

/** The changes that a ruling carries. Decisions on other issues than these, as on those settled meanwhile, are left out. */
export function changesOf(
  { decisions, raised }: IssueDecisions,
  issues: readonly Issue[],
  rules: ChangeRules,
): KeyedChange[] {
  const decided = issues.flatMap((issue): KeyedChange[] => {
    const decision = Object.hasOwn(decisions, issue.id) ? decisions[issue.id] : undefined;
    if (decision === undefined || !choicesOf(issue).includes(decision.change)) return [];
    const { change, note, severity } = decision;
    const grade = needs('severity', change, rules) && { severity: severity ?? nextSeverity(issue) };
    return [{ key: issue.id, change: { change, issue: issue.id, ...grade, ...noteOf(note) } }];
  });
  const added = raised.map(
    ({ key, severity, title, location }): KeyedChange => ({
      key,
      change: {
        change: 'raise',
        severity,
        title: title.trim(),
        ...(location.trim() && { location: location.trim() }),
      },
    }),
  );
  return [...decided, ...added];
}

const noteOf = (note: string) => note.trim() && { note: note.trim() };

/** With what the field begins where an issue is regraded, since it has to begin with one: the next lower severity. */
export function nextSeverity({ severity }: Issue): NewIssue['severity'] {
  const index = SEVERITIES.map(String).indexOf(severity);
  return SEVERITIES[index + 1] ?? 'medium';
}

/** What an option decides, as far as a ruling may still do that. */
export function decisionsOf(
  option: AppealOption | undefined,
  issues: readonly Issue[],
): Readonly<Record<string, Decision>> {
  const decided = (option?.issue_changes ?? []).flatMap(({ change, issue: id, severity, note = '' }) => {
    const issue = issues.find((one) => one.id === id);
    if (issue === undefined || !choicesOf(issue).includes(change)) return [];
    const grade = SEVERITIES.find((one) => one === severity);
    return [[id, { change, note, ...(grade && { severity: grade }) }] as const];
  });
  return Object.fromEntries(decided);
}

/** Sets what the option decides, and takes back what the former one did unless it was changed since. */
export function withOption(
  { decisions, raised }: IssueDecisions,
  former: Readonly<Record<string, Decision>>,
  chosen: Readonly<Record<string, Decision>>,
): IssueDecisions {
  const kept = Object.entries(decisions).filter(
    ([id, decision]) => JSON.stringify(decision) !== JSON.stringify(former[id]),
  );
  return { raised, decisions: { ...Object.fromEntries(kept), ...chosen } };
}

/** What the option says of an issue. */
export function offerOf(option: AppealOption | undefined, id: string): RulingChange | undefined {
  return option?.issue_changes?.find(({ issue }) => issue === id);
}

/** What the chosen option decides and the ruling does not, or does otherwise. */
export function departures(
  decisions: Readonly<Record<string, Decision>>,
  offered: Readonly<Record<string, Decision>>,
): readonly (readonly [string, Decision])[] {
  return Object.entries(offered).filter(([id, { change, severity }]) => {
    const decision = decisions[id];
    return decision?.change !== change || (severity !== undefined && decision.severity !== severity);
  });
}

/** The decision with another change. The note of the option goes with the change of the option; what was written stays. */
export function withChange(
  decision: Decision | null,
  change: string,
  offer: RulingChange | undefined,
): Decision {
  const written = decision === null || decision.note === offer?.note ? '' : decision.note;
  const note = written === '' && change === offer?.change ? (offer.note ?? '') : written;
  return { ...decision, change, note };
}

/** Makes the same of several issues, of those that may become that; with a note, if one is given for all. */
export function withSame(
  all: IssueDecisions,
  issues: readonly Issue[],
  { change, note }: { change: string; note?: string },
  option: AppealOption | undefined,
): IssueDecisions {
  const same = issues
    .filter((issue) => choicesOf(issue).includes(change))
    .map(({ id }) => {
      const decision = withChange(all.decisions[id] ?? null, change, offerOf(option, id));
      return [id, note === undefined ? decision : { ...decision, note }] as const;
    });
  return { raised: all.raised, decisions: { ...all.decisions, ...Object.fromEntries(same) } };
}

/** A refusal of one change, and the issue or the new issue that it belongs to. */
export interface ChangeFault {
  key: string;
  failure: Failure;
}

/** Whether the key is that of an issue that the ruling raises. */
export function isNewKey(key: string): boolean {
  return key.startsWith(NEW);
}

/** Null if the failure is not about one of the changes. */
export function faultOf(failure: Failure, sent: readonly KeyedChange[]): ChangeFault | null {
  const index = /^issue_changes\[(\d+)\]/.exec(failure.field ?? '')?.[1];
  const change = index === undefined ? undefined : sent[Number(index)];
  return change === undefined ? null : { key: change.key, failure };
}
