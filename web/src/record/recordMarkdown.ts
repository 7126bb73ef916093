import type { Argument, DebateRecord, SignedRecord } from '@/api/types';
import { duration } from './duration';
import { onOneLine, quoted } from './textByOthers';

/**
 * What the record says in markdown, in the headings of MADR 4 and in English: what `aw debate record` prints. `args` are the
 * MOTION and the APPEALs.
 */
export function recordMarkdown({ record, signature }: SignedRecord, args: readonly Argument[]): string {
  const { debate, decision, plan, issues, outcome, head } = record;
  const [motion] = args;
  const unsettled = issues.filter(({ status }) => ['open', 'fixed', 'disputed'].includes(status));
  return [
    `---\nstatus: ${STATUS[outcome] ?? outcome}\ndate: ${debate.updated_at.slice(0, 10)}\ndecision-makers: arbitrator, proposer, opponent\n---`,
    `# ${onOneLine(debate.title)}`,
    '## Context and Problem Statement',
    `What the proposer put forward in the debate \`${debate.id}\`, opened at ${time(debate.created_at)}:`,
    quoted(motion?.content ?? ''),
    '## Considered Options',
    ...options(record, args),
    '## Decision Outcome',
    WORDS[outcome] ?? outcome,
    plan &&
      `The plan is \`doc_id=${plan.document_id} v${plan.version}\`, "${onOneLine(plan.summary)}".\nIts SHA-256 is \`${plan.sha256}\`.\n${
        plan.seen_by_opponent
          ? 'The opponent has seen this version.'
          : 'The opponent has **not** seen this version: no argument up to its newest claim cites it.'
      }`,
    decision && `The ruling in argument ${decision.seq}, at ${time(decision.created_at)}:`,
    decision && quoted(decision.content),
    '### Consequences',
    ...consequences(record),
    unsettled.length > 0
      ? `Issues that are not settled: ${unsettled.map(({ id }) => id).join(', ')}.`
      : 'No issue is left open.',
    '## More Information',
    '### Ledger',
    ledger(record),
    '### Dissent',
    dissent(record) || 'The sides did not dispute any issue.',
    '### Figures',
    ...figures(record),
    '### Head',
    `The hash of the newest argument, ${debate.last_seq}, over it and all before it:`,
    `\`\`\`text\n${head}\n\`\`\``,
    '### Signature',
    ...(signature === null
      ? ['The server has no key, so the record is not signed.']
      : [
          `The record as JSON is signed with ${signature.algorithm}; \`aw debate verify-record\` checks it.`,
          `- Public key: \`${signature.public_key}\`\n- Signature: \`${signature.signature}\``,
        ]),
  ]
    .filter((part) => part !== null && part !== '')
    .join('\n\n')
    .concat('\n');
}

const STATUS: Record<string, string> = {
  agreed: 'accepted',
  ruled: 'decided by the arbitrator',
  open: 'proposed',
};

const WORDS: Record<string, string> = {
  agreed: 'The sides agreed: the debate was closed on a request to finish.',
  ruled: 'The arbitrator decided: the debate was closed without an agreement of the sides.',
  open: 'Nothing is decided yet: the debate is open.',
  APPEAL: 'an appeal',
  RESOLUTION: 'a request to finish',
  INTERVENTION: 'an intervention',
  dispute: 'disputed',
  uphold: 'upheld',
  dismiss: 'dismissed',
};

/** `2030-01-02 03:04:05 UTC` */
function time(text: string): string {
  const [date, clock = ''] = text.split('T');
  return `${date} ${clock.replace('Z', '').split('.')[0]} UTC`;
}

function options({ rulings }: DebateRecord, args: readonly Argument[]): string[] {
  const parts = rulings.flatMap(({ seq, on_seq, options, chosen_option }) => {
    if (!options?.length) return [];
    const appeals = args.filter((argument) => argument.type === 'APPEAL');
    const asked = appeals.filter((appeal) => appeal.seq >= on_seq && appeal.seq < seq);
    const list = options.map(({ label, detail }, index) => {
      const chosen = index === chosen_option ? ', chosen' : '';
      return `- ${onOneLine(label)}${chosen}${detail ? `: ${onOneLine(detail)}` : ''}`;
    });
    return [
      ...asked.flatMap((appeal) => [
        `What the appeal in argument ${appeal.seq} asked:`,
        quoted(appeal.content),
      ]),
      list.join('\n'),
    ];
  });
  return parts.length > 0
    ? parts
    : ['No appeal put options to the arbitrator. The sides debated one plan, and what to change in it.'];
}

function consequences({ rulings }: DebateRecord): string[] {
  const earlier = rulings.filter(({ close }) => !close);
  if (earlier.length === 0) return ['There are no other rulings that the plan has to follow.'];
  return [
    'The plan has to follow these rulings:',
    earlier
      .map(({ seq, on, on_seq }) => `- Argument ${seq}, on ${WORDS[on] ?? on} in argument ${on_seq}`)
      .join('\n'),
    ...earlier.flatMap(({ seq, content }) => [`What argument ${seq} rules:`, quoted(content)]),
  ];
}

function ledger({ issues }: DebateRecord): string {
  if (issues.length === 0) return 'No issues were raised.';
  const rows = issues.map(({ id, severity, status, upheld, title, location, note }) =>
    row([
      id,
      severity,
      upheld ? `${status}, upheld` : status,
      onOneLine(title),
      onOneLine(location ?? '–'),
      onOneLine(note ?? '–'),
    ]),
  );
  return table(['issue', 'severity', 'status', 'title', 'location', 'note'], rows);
}

function dissent({ issues }: DebateRecord): string {
  const lines = issues.flatMap(({ id, title, history = [] }) =>
    history
      .filter(({ change }) => ['dispute', 'uphold', 'dismiss'].includes(change))
      .map(({ change, role, seq, note }) => {
        const what = `${WORDS[change]} by the ${role} in argument ${seq}`;
        return `- ${id}, "${onOneLine(title)}": ${what}${note ? `: ${onOneLine(note)}` : ''}`;
      }),
  );
  return lines.join('\n');
}

function figures({ statistics }: DebateRecord): string[] {
  const { by_role, issues } = statistics;
  const rows = (['proposer', 'opponent', 'arbitrator'] as const).map((role) => {
    const { arguments: count, bytes, seconds } = by_role[role];
    return row([role, `${count}`, `${bytes}`, duration(seconds)]);
  });
  return [
    table(['role', 'arguments', 'bytes', 'waited for'], rows),
    [
      `- Arguments: ${statistics.arguments}`,
      `- Rounds: ${statistics.rounds}`,
      `- Appeals: ${statistics.appeals}`,
      `- Interventions: ${statistics.interventions}`,
      `- Duration: ${duration(statistics.seconds)}`,
      `- Issues: ${issues.raised} raised, ${issues.resolved} resolved, ${issues.withdrawn} withdrawn, ` +
        `${issues.dismissed} dismissed, ${issues.left_open} left open`,
    ].join('\n'),
  ];
}

function table(names: readonly string[], rows: readonly string[]): string {
  return [row(names), row(names.map(() => '---')), ...rows].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
