import { createDebate, post } from './rest';

/** A change of an issue as the contract has it. */
export interface Change {
  change: string;
  issue?: string;
  severity?: string;
  title?: string;
  location?: string;
  note?: string;
}

/** A debate whose arguments change issues, written over REST. */
export class IssueDebate {
  private constructor(
    private readonly server: string,
    readonly id: string,
    private last: string,
  ) {}

  static async create(
    server: string,
    title = 'Retry policy',
    text = 'Clients retry three times.',
  ): Promise<IssueDebate> {
    const { id, motion } = await createDebate(server, title, text);
    return new IssueDebate(server, id, motion);
  }

  get url(): string {
    return `${this.server}/d/${this.id}`;
  }

  claim(role: 'proposer' | 'opponent', content: string, changes: readonly Change[] = []): Promise<void> {
    return this.write('arguments', { role, content, issue_changes: changes });
  }

  appeal(content: string, changes: readonly Change[] = [], options: readonly string[] = []): Promise<void> {
    const labels = options.map((label) => ({ label }));
    return this.write('appeal', { content, issue_changes: changes, options: labels });
  }

  appealWith(
    content: string,
    options: readonly { label: string; detail?: string; issue_changes?: readonly Change[] }[],
    changes: readonly Change[] = [],
  ): Promise<void> {
    return this.write('appeal', { content, options, issue_changes: changes });
  }

  resolution(content: string): Promise<void> {
    return this.write('resolution', { content });
  }

  async ruling(content: string, close = false, more: object = {}): Promise<void> {
    await post(this.server, `/debates/${this.id}/ruling`, { content, close, ...more });
    await this.read();
  }

  private async write(path: string, body: object): Promise<void> {
    const { argument } = await post(this.server, `/debates/${this.id}/${path}`, {
      target_id: this.last,
      ...body,
    });
    this.last = argument.id;
  }

  async rule(content: string): Promise<void> {
    const { argument } = await post(this.server, `/debates/${this.id}/ruling`, { content });
    this.last = argument.id;
  }

  /** Waits for an argument that somebody else wrote, so that the next one can answer it. */
  async read(): Promise<void> {
    const answer = await fetch(`${this.server}/debates/${this.id}?limit=1`);
    const { data } = await answer.json();
    this.last = data.arguments.at(-1)?.id ?? this.last;
  }

  /** All issues with their histories. */
  async issues(): Promise<Record<string, unknown>[]> {
    const answer = await fetch(`${this.server}/debates/${this.id}/issues?history=true`);
    return (await answer.json()).data.issues;
  }
}

export function raise(severity: string, title: string, location?: string): Change {
  return { change: 'raise', severity, title, ...(location && { location }) };
}

/** A debate whose resolution waits, in which an issue that does not block is open if one is given. */
export async function agreedDebate(server: string, title?: string, issue?: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server, title);
  await debate.claim('opponent', 'Fine.', issue === undefined ? [] : [raise('low', issue)]);
  await debate.resolution('Everything is agreed.');
  return debate;
}

/** A debate whose appeal refers so many issues. */
export async function referringDebate(
  server: string,
  issues: number,
  options: readonly string[] = [],
): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server);
  const titles = Array.from({ length: issues }, (_, index) => `Fault ${index + 1} of the plan`);
  await debate.claim(
    'opponent',
    'Many.',
    titles.map((title) => raise('medium', title)),
  );
  await debate.appeal(
    'Which of them matter?',
    titles.map((_, index) => ({ change: 'refer', issue: `I${index + 1}` })),
    options,
  );
  return debate;
}

/** A debate with six issues, one in each status, in which the proposer appeals on I2. */
export async function disputedDebate(server: string): Promise<IssueDebate> {
  const debate = await IssueDebate.create(server);
  await debate.claim('opponent', 'I found six faults; I1 is the worst.', [
    raise('critical', 'A retry after a timeout stores the order twice', 'src/orders/submit.rs:41'),
    raise('high', 'No upper bound for the delay between two attempts', 'plan 2.3'),
    raise('medium', 'The jitter is the same for all clients of one process'),
    raise('medium', 'Nothing is logged when all attempts have failed', 'plan 4'),
    raise('low', 'The default of three attempts is not explained'),
    raise('low', 'The name `RetryPolicy2` says nothing'),
  ]);
  await debate.claim('proposer', 'Changed as you say, except for I2, see also `I2` and I99.', [
    { change: 'fix', issue: 'I1', note: 'plan 2.1, idempotency keys' },
    { change: 'dispute', issue: 'I2', note: 'The sum of three delays is bounded already, see I3.' },
    { change: 'fix', issue: 'I3' },
    { change: 'fix', issue: 'I4', note: 'plan 4.2' },
  ]);
  await debate.claim('opponent', 'I1 is solved.', [
    { change: 'resolve', issue: 'I1' },
    { change: 'reopen', issue: 'I2', note: 'The bound holds only without the server’s own `retry-after`.' },
    { change: 'withdraw', issue: 'I5', note: 'It is explained in the appendix.' },
  ]);
  await debate.claim('proposer', 'Once more.', [{ change: 'dispute', issue: 'I2', note: 'As in #3.' }]);
  await debate.claim('opponent', 'No.', [{ change: 'reopen', issue: 'I2', note: 'Nothing new was said.' }]);
  await debate.appeal('Is a bound needed?', [{ change: 'refer', issue: 'I2', note: 'It costs a setting.' }]);
  return debate;
}
