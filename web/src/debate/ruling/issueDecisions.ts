import type { Failure, Issue } from '@/api/types';
import type { RulingChange } from '@/websocket/messages';

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** What a ruling offers to make of an issue; the server refuses what does not fit it. */
export const CHOICES = ['uphold', 'dismiss', 'defer', 'regrade'] as const;

/** What a ruling makes of an issue. Issues without a decision stay as they are. */
export interface Decision {
  change: (typeof CHOICES)[number];
  note: string;
  /** The new one, of what is regraded. */
  severity?: NewIssue['severity'];
}

/** An issue that a ruling raises. */
export interface NewIssue {
  key: string;
  severity: (typeof SEVERITIES)[number];
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

/** The server's limit. */
export const MAX_CHANGES = 50;

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

/** The changes that a ruling carries. `issues` are those that are not settled: decisions on others are left out. */
export function changesOf({ decisions, raised }: IssueDecisions, issues: readonly Issue[]): KeyedChange[] {
  const decided = issues.flatMap((issue): KeyedChange[] => {
    const decision = Object.hasOwn(decisions, issue.id) ? decisions[issue.id] : undefined;
    if (decision === undefined) return [];
    const { change, note, severity } = decision;
    const grade = change === 'regrade' ? { severity: severity ?? nextSeverity(issue) } : {};
    return [{ key: issue.id, change: { change, issue: issue.id, ...grade, ...textField('note', note) } }];
  });
  const added = raised.map(
    ({ key, severity, title, location }): KeyedChange => ({
      key,
      change: { change: 'raise', severity, title: title.trim(), ...textField('location', location) },
    }),
  );
  return [...decided, ...added];
}

function textField(name: 'note' | 'location', text: string): Partial<RulingChange> {
  return text.trim() === '' ? {} : { [name]: text.trim() };
}

/** What an issue is regraded to until another severity is chosen: the next lower one. */
export function nextSeverity({ severity }: Issue): NewIssue['severity'] {
  const index = SEVERITIES.map(String).indexOf(severity);
  return SEVERITIES[index + 1] ?? 'medium';
}

/** Whether something is missing without which it cannot be sent: a title, or why an issue is deferred. */
export function isIncomplete(changes: readonly KeyedChange[]): boolean {
  return changes.some(({ change }) => change.title === '' || (change.change === 'defer' && !change.note));
}

/** How many of these issues, which are not settled, stay so after a ruling with these changes. */
export function unsettledAfter(issues: readonly Issue[], changes: readonly KeyedChange[]): number {
  const count = (...names: string[]) => changes.filter(({ change }) => names.includes(change.change)).length;
  return issues.length - count('dismiss', 'defer') + count('raise');
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

/** Reads what was stored, which another version of the app may have written. */
export function parseDecisions(value: { decisions?: unknown; raised?: unknown }): IssueDecisions {
  const decisions = isObject(value.decisions) ? Object.entries(value.decisions) : [];
  const raised: unknown[] = Array.isArray(value.raised) ? value.raised : [];
  return {
    decisions: Object.fromEntries(
      decisions.filter((entry): entry is [string, Decision] => isDecision(entry[1])),
    ),
    raised: raised.filter(isNewIssue),
  };
}

function isDecision(value: unknown): value is Decision {
  return (
    isObject(value) &&
    CHOICES.some((choice) => choice === value.change) &&
    typeof value.note === 'string' &&
    (value.severity === undefined || SEVERITIES.some((severity) => severity === value.severity))
  );
}

function isNewIssue(value: unknown): value is NewIssue {
  return (
    isObject(value) &&
    typeof value.key === 'string' &&
    SEVERITIES.some((severity) => severity === value.severity) &&
    typeof value.title === 'string' &&
    typeof value.location === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
