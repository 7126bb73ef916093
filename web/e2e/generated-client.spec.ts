import createClient from 'openapi-fetch';
import type { paths } from '../src/api/schema';
import { expect, test } from './support/test';

/** The data of an answer; fails where the server refuses. */
async function ask<T>(call: Promise<{ data?: { data: T } | string; error?: unknown }>): Promise<T> {
  const { data, error } = await call;
  if (data === undefined || typeof data === 'string') throw new Error(JSON.stringify(error));
  return data.data;
}

const requestId = () => crypto.randomUUID();

test('a client with the types of openapi-typescript plays a debate', async ({ server }) => {
  const client = createClient<paths>({ baseUrl: server.url });
  const info = await ask(client.GET('/info'));
  expect(info.limits.max_issues).toBe(500);

  const plan = { summary: 'Plan', content: 'Keep the price list in memory.\n' };
  const { document } = await ask(client.POST('/documents', { body: plan }));
  const cited = `doc_id=${document.id} v1`;
  const id = crypto.randomUUID();
  const path = { id };
  const motion = {
    debate_id: id,
    title: 'Cache the price list',
    debate_type: 'coding_plan_debate' as const,
    motion_content: `See ${cited}.`,
    client_request_id: requestId(),
  };
  const opened = await ask(client.POST('/debates', { body: motion }));
  expect(opened.debate.state).toBe('AWAITING_OPPONENT');
  expect(opened.argument.citations?.[0]?.document_id).toBe(document.id);

  const joining = { role: 'opponent' as const, timeout: 5 };
  const joined = await ask(client.GET('/debates/{id}/wait', { params: { path, query: joining } }));
  expect(joined.action).toBe('respond');
  const target = joined.argument?.id ?? '';
  const claim = {
    role: 'opponent' as const,
    target_id: target,
    content: 'One point.',
    client_request_id: requestId(),
    issue_changes: [{ change: 'raise', severity: 'high', title: 'Lost on restart' }],
  };
  const claimed = await ask(client.POST('/debates/{id}/arguments', { params: { path }, body: claim }));
  expect(claimed.changed_issues[0]?.id).toBe('I1');
  // The same again stores nothing.
  const again = await ask(client.POST('/debates/{id}/arguments', { params: { path }, body: claim }));
  expect([again.replayed, again.argument.id]).toEqual([true, claimed.argument.id]);

  const since = { role: 'proposer' as const, argument_id: opened.argument.id, timeout: 5 };
  const news = await ask(client.GET('/debates/{id}/wait', { params: { path, query: since } }));
  expect(news.issues?.map((issue) => issue.status)).toEqual(['open']);
  const answer = (content: string) => ({
    target_id: claimed.argument.id,
    content,
    client_request_id: requestId(),
  });
  // A refusal has its code and what belongs to it.
  const refused = await client.POST('/debates/{id}/resolution', {
    params: { path },
    body: answer('All is agreed.'),
  });
  expect(refused.error?.error.code).toBe('ISSUES_OPEN');
  expect(refused.error?.error.issues?.[0]?.id).toBe('I1');

  const question = {
    ...answer('Does it matter?'),
    options: [{ label: 'Yes' }, { label: 'No', detail: 'rare' }],
    issue_changes: [{ change: 'refer', issue: 'I1' }],
  };
  const appealed = await ask(client.POST('/debates/{id}/appeal', { params: { path }, body: question }));
  expect(appealed.argument.options?.map((option) => option.label)).toEqual(['Yes', 'No', 'Something else']);
  const query = { role: 'arbitrator' as const, timeout: 5 };
  const due = await ask(client.GET('/wait', { params: { query } }));
  expect(due.debates[0]?.id).toBe(id);
  const decision = {
    content: 'No.',
    chosen_option: 1,
    issue_changes: [{ change: 'dismiss', issue: 'I1' }],
  };
  const ruled = await ask(client.POST('/debates/{id}/ruling', { params: { path }, body: decision }));
  expect(ruled.debate_state).toBe('AWAITING_PROPOSER');
  const end = { ...answer(`Agreed: ${cited}.`), target_id: ruled.argument.id };
  await ask(client.POST('/debates/{id}/resolution', { params: { path }, body: end }));
  const closed = await ask(
    client.POST('/debates/{id}/ruling', {
      params: { path },
      body: { content: 'Closed.', close: true },
    }),
  );
  expect(closed.action).toBe('debate_closed');

  const context = await ask(client.GET('/debates/{id}', { params: { path } }));
  expect(context.arguments.map((argument) => argument.seq)).toEqual([2, 3, 4, 5, 6]);
  const { issues } = await ask(
    client.GET('/debates/{id}/issues', { params: { path, query: { history: true } } }),
  );
  expect(issues[0]?.history?.map((entry) => entry.change)).toEqual(['raise', 'refer', 'dismiss']);
  const { record } = await ask(client.GET('/debates/{id}/record', { params: { path } }));
  expect([record.outcome, record.plan?.document_id]).toEqual(['agreed', document.id]);
  const list = await ask(client.GET('/debates', { params: { query: { q: 'price' } } }));
  expect(list.total).toBe(1);
});
