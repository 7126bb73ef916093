import type { Argument, Side } from '@/api/types';
import type { Translate } from '@/i18n';

export type AgentFigures = NonNullable<Argument['agents']>[number];

/** What an agent used, as far as it told: `12.3K tokens read, 2K written · $0.12 · 2 min`. */
export function figuresOf(t: Translate, agent: AgentFigures): string {
  const { input_tokens, output_tokens, cost_microusd, seconds } = agent;
  return [
    input_tokens !== undefined && t('agents.read', { n: t.count(input_tokens) }),
    output_tokens !== undefined && t('agents.written', { n: t.count(output_tokens) }),
    cost_microusd !== undefined && t.cost(cost_microusd),
    seconds !== undefined && t.duration(seconds * 1000),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** `codex gpt-5, review` */
export function nameOf(t: Translate, { program, model, purpose }: AgentFigures): string {
  const name = [program ?? t('agents.unnamed'), model].filter(Boolean).join(' ');
  return purpose === undefined || purpose === 'turn' ? name : `${name}, ${t.label('purpose', purpose)}`;
}

/** The program that wrote the newest of a side's arguments, as far as that is known. */
export function programOf(side: string, args: readonly Argument[]): string | null {
  const newest = args.findLast(({ role, agents }) => role === side && agents !== undefined);
  return newest?.agents?.findLast(({ program }) => program !== undefined)?.program ?? null;
}

/** The program of each side's agent. */
export const programsIn = (args: readonly Argument[]): Readonly<Record<Side, string | null>> => ({
  proposer: programOf('proposer', args),
  opponent: programOf('opponent', args),
});
