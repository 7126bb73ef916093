import { type components, debateTypeValues, roleValues, sideValues, stateNameValues } from './schema';

type Schemas = components['schemas'];

export type Debate = Schemas['Debate'];
export type Argument = Schemas['Argument'];
export type Citation = Schemas['Citation'];
/** A change of an issue that a ruling carries. */
export type RulingChange = Schemas['IssueChangeSubmit'];
export type AppealOption = Schemas['AppealOption'];
/** What the app reads of `GET /debates/{id}`. Its issues are those that are not settled. */
export type DebateContext = Pick<
  Schemas['DebateContext'],
  'debate' | 'motion' | 'arguments' | 'earlier_rulings' | 'issues' | 'turns'
>;
export type Turn = Schemas['Turn'];
export type Move = Schemas['Move'];
export type Plan = NonNullable<Schemas['Plan']>;
export type Issue = Schemas['Issue'];
export type IssueChange = Schemas['IssueChange'];
export type ChangeRule = Schemas['IssueChangeRule'];
export type IssueCounts = Schemas['IssueCounts'];
export type IssueHistoryEntry = Schemas['IssueHistoryEntry'];
export type DocumentInfo = Schemas['Document'];
export type ListedDocument = Schemas['ListedDocument'];
export type DocumentVersion = Schemas['DocumentVersion'];
export type DocumentVersionEntry = Schemas['DocumentVersionEntry'];
export type DocumentWithVersion = Schemas['DocumentWithVersion'];
export type SearchKind = Schemas['SearchKind'];
export type SearchHit = Schemas['SearchHit'];
export type StateName = Schemas['StateName'];
export type DebateType = Schemas['DebateType'];
export type Role = Schemas['Role'];
export type Side = Schemas['Side'];

/** An error object from the server; a few codes, such as `CONNECTION_ERROR`, are made in the browser. */
export type Failure = Schemas['Error'] & {
  /** If the server failed: the id under which its log has the request. */
  log_id?: string;
};

export const STATES = stateNameValues;
export const DEBATE_TYPES = debateTypeValues;
export const ROLES = roleValues;
export const SIDES = sideValues;

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];
