import { randomUUID } from 'node:crypto';

/** Posts to the REST API, for what would take too long with `aw`, such as thousands of arguments. */
export async function post<T = { argument: { id: string } }>(
  server: string,
  path: string,
  body: object,
): Promise<T> {
  const answer = await fetch(server + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_request_id: randomUUID(), ...body }),
  });
  const { success, data, error } = await answer.json();
  if (!success) throw new Error(`${path}: ${error.code} ${error.message}`);
  return data;
}

export async function createDebate(
  server: string,
  title: string,
  motion: string,
): Promise<{ id: string; motion: string }> {
  const id = randomUUID();
  const { argument } = await post(server, '/debates', {
    debate_id: id,
    title,
    debate_type: 'general_debate',
    motion_content: motion,
  });
  return { id, motion: argument.id };
}
