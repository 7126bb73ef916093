import { MAX_ISSUE_NOTE } from '@/api/limits';
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

/** The same, first what needs nothing else. */
export function orderedChoices(issue: Issue, rules: ChangeRules): readonly string[] {
  const needed = (change: string) => rules[change]?.needs.length ?? 0;
  return choicesOf(issue).toSorted((a, b) => needed(a) - needed(b));
}

/** The choice of no change. */
export const LEAVE = 'leave';

/** What a ruling makes of an issue. Issues without a decision stay as they are. */
export interface Decision {
  change: string;
  note: string;
  /** The new one, of what is regraded. */
  severity?: NewIssue['severity'];
  /** What was last decided of several issues at once, whose note goes with its change. */
  together?: Offer;
  /** Whether a person decided it before the chosen option, which does not change it. */
  own?: boolean;
}

/** A change that comes with a note, from an option or from what several issues were decided with. */
type Offer = Pick<RulingChange, 'change' | 'note'>;

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
  /** Whether its reason is the text of the ruling. */
  byWords?: boolean;
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

/** The text of a ruling as the reason of what needs one and has none of its own; empty if it is too long for that. */
export function reasonIn(text: string): string {
  const reason = text.trim().replace(/\s+/g, ' ');
  return reason.length > MAX_ISSUE_NOTE ? '' : reason;
}

/** The changes that a ruling carries. Decisions on other issues than these, as on those settled meanwhile, are left out. */
export function changesOf(
  { decisions, raised }: IssueDecisions,
  issues: readonly Issue[],
  rules: ChangeRules,
  text = '',
): KeyedChange[] {
  const decided = issues.flatMap((issue): KeyedChange[] => {
    const decision = Object.hasOwn(decisions, issue.id) ? decisions[issue.id] : undefined;
    if (decision === undefined || !choicesOf(issue).includes(decision.change)) return [];
    const { change, note, severity } = decision;
    const grade = needs('severity', change, rules) && { severity: severity ?? nextSeverity(issue) };
    const byWords = needs('note', change, rules) && note.trim() === '' && reasonIn(text) !== '';
    const said = noteOf(byWords ? reasonIn(text) : note);
    return [
      { key: issue.id, change: { change, issue: issue.id, ...grade, ...said }, ...(byWords && { byWords }) },
    ];
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

/** Sets what the option decides, and takes back what the former one did. What a person decided or wrote stays. */
export function withOption(
  { decisions, raised }: IssueDecisions,
  former: Readonly<Record<string, Decision>>,
  chosen: Readonly<Record<string, Decision>>,
): IssueDecisions {
  const kept = Object.entries(decisions).flatMap(([id, decision]) => {
    const own = ownPart(decision, former[id], chosen[id]);
    return own === null ? [] : [[id, own] as const];
  });
  return { raised, decisions: { ...chosen, ...Object.fromEntries(kept) } };
}

/** What is kept of a decision when `chosen` takes the place of `former`: a decision of a person, or only the note. */
function ownPart(
  decision: Decision,
  former: Decision | undefined,
  chosen: Decision | undefined,
): Decision | null {
  const note = decision.note === former?.note ? '' : decision.note;
  const own = decision.own === true || former === undefined || departsFrom(decision, former);
  if (chosen === undefined) return own || note.trim() !== '' ? { ...decision, note } : null;
  if (own) return withChange({ ...decision, note, own }, decision.change, chosen);
  const { change, severity } = chosen;
  return { ...withChange({ ...decision, note }, change, chosen), severity };
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
  return Object.entries(offered).filter(([id, offer]) => departsFrom(decisions[id], offer));
}

/** Whether a ruling makes something else of an issue than an option does. */
export function departsFrom(
  made: Pick<RulingChange, 'change' | 'severity'> | undefined,
  offer: Pick<RulingChange, 'change' | 'severity'>,
): boolean {
  return made?.change !== offer.change || (offer.severity !== undefined && made.severity !== offer.severity);
}

/** Whether a ruling makes the same of an issue as an option, in the same words. */
export const isSame = (made: Decision | undefined, offer: Decision) =>
  made?.change === offer.change && made.severity === offer.severity && made.note.trim() === offer.note.trim();

/**
 * The decision with another change. The note of the option goes with the change of the option, and that of several issues with theirs;
 * what was written for this one stays.
 */
export function withChange(decision: Decision | null, change: string, offer: Offer | undefined): Decision {
  const offers = [decision?.together, offer].filter((each) => each !== undefined);
  const written = offers.some(({ note }) => note === decision?.note) ? '' : (decision?.note ?? '');
  const note = written || offers.find((each) => each.change === change)?.note || '';
  return { ...decision, change, note };
}

/** The decision once it is that of an option. The words of the chosen one come with what that decides: what another says is not the arbitrator's word. */
export function withOffer(
  decision: Decision | null,
  offer: Decision,
  id: string,
  options: readonly AppealOption[],
  choice: number | null,
): Decision {
  const note = decision?.note ?? '';
  const given = [decision?.together?.note, ...options.map((option) => offerOf(option, id)?.note)];
  const written = given.includes(note) ? '' : note;
  const ofChosen = offerOf(options[choice ?? -1], id);
  return {
    ...decision,
    ...offer,
    severity: offer.severity,
    note: written || (ofChosen && !departsFrom(ofChosen, offer) && ofChosen.note) || '',
  };
}

/** The indices of the options as which an issue is decided: those that make the same of it, in the same words if one does. */
export function decidedAs(
  decision: Decision,
  issue: Issue,
  options: readonly AppealOption[],
): readonly number[] {
  const alike = options.flatMap((option, index) => {
    const offer = decisionsOf(option, [issue])[issue.id];
    return offer === undefined || departsFrom(decision, offer) ? [] : { index, note: offer.note };
  });
  const noted = alike.filter(({ note }) => note === decision.note);
  return (noted.length > 0 ? noted : alike).map(({ index }) => index);
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
      return [id, note === undefined ? decision : { ...decision, note, together: { change, note } }] as const;
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
