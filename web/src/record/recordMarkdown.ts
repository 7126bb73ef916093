import type { DebateRecord, Issue, SignedRecord } from '@/api/types';
import { format } from '@/i18n';
import { duration } from './duration';

/** What the record says in markdown, in the headings of MADR 4 and in English, as `aw debate record` prints it. */
export function recordMarkdown({ record, signature }: SignedRecord, motion: string): string {
  const { debate, decision, plan, rulings, issues, outcome } = record;
  const date = decision?.created_at ?? debate.updated_at;
  return [
    `---\nstatus: ${STATUS[outcome] ?? outcome}\ndate: ${date.slice(0, 10)}\ndecision-makers: proposer, opponent, arbitrator\n---`,
    `# ${debate.title}`,
    '## Context and Problem Statement',
    motion.trim(),
    '## Considered Options',
    optionsOf(record) || 'No options were put to the arbitrator.',
    '## Decision Outcome',
    decision === null ? 'The debate is not closed: this is a draft.' : quoted(decision.content),
    plan &&
      `The plan: \`doc_id=${plan.document_id} v${plan.version}\` (${plan.summary.trim() || 'no summary'}), ` +
        `SHA-256 \`${plan.sha256}\`.${plan.seen_by_opponent ? '' : ' **The opponent has not seen this version.**'}`,
    '### Consequences',
    rulings.map(rulingText).join('\n') || 'No ruling was made.',
    '## More Information',
    '### Issues',
    issues.length === 0 ? 'None were raised.' : issueTable(issues),
    '### Dissent',
    dissentOf(issues)
      .map((issue) => `- ${issue.id} (${issue.severity}, ${issue.status}): ${issue.title}`)
      .join('\n') || 'None.',
    '### Figures',
    figures(record),
    '### Check',
    `Debate \`${debate.id}\`, head \`${record.head}\`.\n\n${
      signature === null
        ? 'Not signed.'
        : `${signature.algorithm} signature \`${signature.signature}\`, public key \`${signature.public_key}\`.`
    }`,
  ]
    .filter((part) => part !== null && part !== '')
    .join('\n\n')
    .concat('\n');
}

const STATUS: Record<string, string> = { agreed: 'accepted', ruled: 'accepted by ruling', open: 'draft' };

/** Issues that the sides did not settle between themselves. */
export function dissentOf(issues: readonly Issue[]): readonly Issue[] {
  return issues.filter(({ status }) => status !== 'resolved' && status !== 'withdrawn');
}

function optionsOf({ rulings }: DebateRecord): string {
  return rulings
    .flatMap(({ seq, options, chosen_option }) =>
      (options ?? []).map(({ label, detail }, index) => {
        const chosen = index === chosen_option ? ` (chosen in #${seq})` : '';
        return `- ${label}${chosen}${detail ? `: ${detail.replaceAll('\n', ' ')}` : ''}`;
      }),
    )
    .join('\n');
}

function rulingText({
  seq,
  on,
  on_seq,
  content,
  close,
  issue_changes,
}: DebateRecord['rulings'][number]): string {
  const changes = issue_changes.map(({ change, issue }) => `${issue} ${change}`).join(', ');
  return [
    `- Ruling #${seq} on ${on} #${on_seq}${close ? ', which closed the debate' : ''}${changes && ` (${changes})`}:`,
    ...quoted(content)
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
  ].join('\n');
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function issueTable(issues: readonly Issue[]): string {
  const rows = issues.map(
    ({ id, severity, status, title, note }) =>
      `| ${[id, severity, status, title, note ?? ''].map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
  );
  return ['| Issue | Severity | Status | Title | Last note |', '|---|---|---|---|---|', ...rows].join('\n');
}

function figures({ statistics }: DebateRecord): string {
  const { issues } = statistics;
  return format(
    '{arguments} arguments in {rounds} rounds and {time}, {appeals} appeals, {interventions} interventions; ' +
      '{raised} issues raised, {resolved} resolved, {withdrawn} withdrawn, {dismissed} dismissed, {left_open} left open.',
    {
      arguments: statistics.arguments,
      rounds: statistics.rounds,
      time: duration(statistics.seconds),
      appeals: statistics.appeals,
      interventions: statistics.interventions,
      ...issues,
    },
  );
}
