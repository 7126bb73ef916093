import { useLayoutEffect, useMemo, useState } from 'react';
import type { Debate } from '@/api/types';
import { useInfo } from '@/api/useInfo';
import type { Store } from '@/lib/store';
import { createDraft, type Draft, forAppeal } from './draft';
import { type ChangeRules, decisionsOf, withOption } from './issueDecisions';
import type { RulingRequest } from './rulingRequest';

/** Before the server has told them. */
export const NO_RULES: ChangeRules = {};

/** What the parts of a decision share. It stays the same object while a text is written. */
export interface DecisionModel {
  debate: Debate;
  request: RulingRequest;
  rules: ChangeRules;
  maxBytes: number;
  mayRule: boolean;
  stored: Store<Draft>;
  /** The draft, without the choice that was made under another appeal. */
  draft: () => Draft;
  change: (part: Partial<Draft>) => void;
  /** Chooses an option, which sets what it decides. */
  choose: (index: number) => void;
  /** Takes back the choice and what was decided of issues; texts and new issues stay. */
  unchoose: () => void;
}

/** The draft once an option is chosen, which sets what it decides. */
export function withChoice(
  draft: Draft,
  { argument, issues }: Pick<RulingRequest, 'argument' | 'issues'>,
  choice: number,
): Draft {
  const now = forAppeal(draft, argument.id);
  const offered = decisionsOf(argument.options?.[choice], issues);
  return { ...now, choice, offered, ...withOption(now, now.offered, offered) };
}

export function useDecisionModel(
  debate: Debate,
  request: RulingRequest,
  shared: Store<Draft> | undefined,
): DecisionModel {
  const [stored] = useState(() => shared ?? createDraft(debate.id));
  const info = useInfo();
  const { argument, moves } = request;
  const appealId = argument.options?.length ? argument.id : null;
  // What the option of an earlier appeal decided is not this one's. While a ruling is on its way, its draft stays as it was sent.
  useLayoutEffect(() => {
    const former = stored.get();
    const outdated = moves.length > 0 && Object.keys(former.offered).length > 0;
    if (outdated) stored.set(forAppeal(former, appealId));
  }, [stored, moves, appealId]);
  return useMemo(() => {
    const draft = () => forAppeal(stored.get(), appealId);
    const change = (part: Partial<Draft>) => stored.set({ ...draft(), ...part });
    return {
      debate,
      request,
      rules: info?.issue_changes ?? NO_RULES,
      maxBytes: info?.limits.max_content_bytes ?? Number.POSITIVE_INFINITY,
      mayRule: info?.may_rule === true,
      stored,
      draft,
      change,
      unchoose: () => change({ choice: null, offered: {}, decisions: {} }),
      choose: (choice) => stored.set(withChoice(stored.get(), request, choice)),
    };
  }, [debate, request, stored, info, appealId]);
}
