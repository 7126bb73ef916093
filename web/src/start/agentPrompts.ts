import type { Debate, Side } from '@/api/types';
import { commandLine } from '@/lib/agentCommands';

/** The agents that `aw setup` knows. */
export const agents = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot', 'opencode', 'agents-md'];

export const setupCommand = `aw setup ${agents[0]} --user`;

/** The number of each side's first argument after the motion. */
const FIRST_SEQ: Record<Side, number> = { opponent: 2, proposer: 3 };

/** The sides that nobody has taken yet: they have not written, have no seat, and do not wait. */
export function missingSides(
  { seats, last_seq }: Pick<Debate, 'seats' | 'last_seq'>,
  waiting: readonly { role: string }[],
): Side[] {
  return (['opponent', 'proposer'] as const).filter(
    (side) => last_seq < FIRST_SEQ[side] && !seats[side] && waiting.every(({ role }) => role !== side),
  );
}

/** With it an agent learns what its role does. */
export function guideCommand(side: Side, origin: string): string {
  return commandLine(origin, `debate guide --role ${side}`);
}

/** One command that plays both sides of a debate with the agents that are installed. */
export function runCommand(debateId: string, task: string, origin: string): string {
  return commandLine(origin, `debate run --debate-id ${debateId} --task '${task.replaceAll("'", `'\\''`)}'`);
}
