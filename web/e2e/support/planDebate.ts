import { IssueDebate, raise } from './issueDebate';
import { post } from './rest';

const STEPS = Array.from({ length: 12 }, (_, index) => `${index + 1}. Step ${index + 1} of the work.`);

export const PLAN = [
  '# Cache the price list',
  '',
  'We keep the price list in memory for **60 seconds**.',
  '',
  '## Steps',
  '',
  ...STEPS,
  '',
  '## Risks',
  '',
  'A stale price is shown to a customer.',
  '',
].join('\n');

export const SECOND = PLAN.replace('60 seconds', '30 seconds');
export const THIRD = SECOND.replace('in memory for **30 seconds**', 'in memory until it **changes**').replace(
  'A stale price is',
  'A lost message leaves a stale price, which is',
);

export interface PlanDebate {
  debate: IssueDebate;
  /** The id of the document. */
  plan: string;
}

export async function addVersion(
  server: string,
  id: string,
  summary: string,
  content: string,
): Promise<void> {
  await post(server, `/documents/${id}/versions`, { summary, content });
}

/**
 * A debate about a plan with three versions. A ruling was made when it had two; the third answers I2 with its line 3,
 * and an appeal waits.
 */
export async function planDebate(server: string): Promise<PlanDebate> {
  const { document } = await post<{ document: { id: string } }>(server, '/documents', {
    summary: 'Cache the price list',
    content: PLAN,
  });
  const plan = document.id;
  const debate = await IssueDebate.create(server, 'Cache the price list', `The plan is doc_id=${plan} v1.`);
  await debate.claim('opponent', 'Two faults.', [
    raise('high', 'A minute is too long'),
    raise('medium', 'Nothing invalidates the cache'),
    raise('low', 'Step 7 says nothing'),
  ]);
  await addVersion(server, plan, 'Half the time', SECOND);
  await debate.claim('proposer', `Now doc_id=${plan} v2.`, [
    { change: 'fix', issue: 'I1', note: `doc_id=${plan} v2` },
  ]);
  await debate.claim('opponent', 'I1 is solved.', [{ change: 'resolve', issue: 'I1' }]);
  await debate.appeal('Is invalidation needed?');
  await debate.ruling('It is: fix I2.');
  await addVersion(server, plan, 'Invalidate on change', THIRD);
  await debate.claim('proposer', `See doc_id=${plan} v3.`, [
    { change: 'fix', issue: 'I2', note: `doc_id=${plan} v3, line 3` },
  ]);
  await debate.claim('opponent', 'Good.', [{ change: 'resolve', issue: 'I2' }]);
  return { debate, plan };
}
