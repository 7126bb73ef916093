import { api } from '@/api/client';
import { MAX_DEBATE_TITLE } from '@/api/limits';
import type { DebateType } from '@/api/types';
import { createStore } from '@/lib/store';
import { newRequestId } from '@/websocket/outbox';

/** What is written of a debate that is not open yet. Its id stays the same, so that a repeated request opens it once. */
export interface NewDebate {
  title: string;
  task: string;
  plan: string;
  type: DebateType;
  /** After so many rounds without a ruling the proposer has to appeal or to ask to finish. */
  rounds: number;
  /** Of UUID length, which the server accepts without hyphens. */
  debateId: string;
}

const KEY = 'aweave.new';

export function blank(): NewDebate {
  return {
    title: '',
    task: '',
    plan: '',
    type: 'coding_plan_debate',
    rounds: 3,
    debateId: newRequestId(),
  };
}

/** Kept over a reload, and a navigation away. */
export const newDebate = createStore<NewDebate>(blank(), {
  read: () => {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return typeof stored === 'object' && stored !== null ? { ...blank(), ...stored } : null;
  },
  write: (value) => localStorage.setItem(KEY, JSON.stringify(value)),
});

/** The title that is used if none is given: the plan's first heading, else the task's first line. */
export function usualTitle({ plan, task }: Pick<NewDebate, 'plan' | 'task'>): string {
  const heading = /^#+[ \t]+(.+)$/m.exec(plan)?.[1] ?? task.trim().split('\n')[0] ?? '';
  return Array.from(heading.trim()).slice(0, MAX_DEBATE_TITLE).join('');
}

/** Opens the debate, with its plan, as `aw debate create --plan` does; returns its id. */
export async function open(written: NewDebate): Promise<string> {
  const { task, plan, type, rounds, debateId } = written;
  const { debate } = await api.createDebate({
    debate_id: debateId,
    title: written.title.trim() || usualTitle(written),
    debate_type: type,
    max_rounds: rounds,
    motion_content: task.trim(),
    ...(plan.trim() !== '' && { plan: { content: plan } }),
    client_request_id: debateId,
  });
  return debate.id;
}
