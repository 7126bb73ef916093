import type { components } from './schema';

type Schemas = components['schemas'];

export type Debate = Schemas['Debate'];
export type Argument = Schemas['Argument'];
export type AppealOption = Schemas['AppealOption'];
export type DebateContext = Schemas['DebateContext'];
export type DocumentHead = Schemas['Document'];
export type DocumentVersion = Schemas['DocumentVersion'];
export type DocumentVersionEntry = Schemas['DocumentVersionEntry'];
export type DocumentWithVersion = Schemas['DocumentWithVersion'];
export type DocumentHistory = Schemas['DocumentHistory'];
export type DocumentList = Schemas['DocumentList'];
export type StateName = Schemas['StateName'];
export type Role = Schemas['Role'];
export type Side = Schemas['Side'];

/** An error object of the server, or one of the two that never reached it. */
export type Failure = Schemas['Error'];

export const STATES = [
  'AWAITING_ARBITRATOR',
  'INTERVENTION_PENDING',
  'AWAITING_PROPOSER',
  'AWAITING_OPPONENT',
  'CLOSED',
] as const satisfies readonly StateName[];

/** Responses carry states as strings, so that a newer server may add one: what is unknown is shown, not acted on. */
export function knownState(state: string): StateName | null {
  return STATES.find((known) => known === state) ?? null;
}

export function needsRuling(debate: Debate): boolean {
  return debate.state === 'AWAITING_ARBITRATOR' || debate.state === 'INTERVENTION_PENDING';
}
