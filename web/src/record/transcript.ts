import { api } from '@/api/client';
import type { Argument, Debate } from '@/api/types';

const PAGE = 200;

/** All arguments of a debate, page by page. */
export async function fetchTranscript(debateId: string): Promise<{ debate: Debate; args: Argument[] }> {
  const args: Argument[] = [];
  for (;;) {
    const after = args.at(-1)?.seq ?? 0;
    const range = { after_seq: after, before_seq: after + 1 + PAGE, limit: PAGE };
    const { debate, motion, arguments: page } = await api.debate(debateId, range);
    if (after === 0) args.push(motion);
    args.push(...page.filter(({ seq }) => seq > motion.seq));
    if ((args.at(-1)?.seq ?? 0) >= debate.last_seq || args.at(-1)?.seq === after) return { debate, args };
  }
}

/** The arguments as one markdown document, in the words of the contract. */
export function transcriptMarkdown(debate: Debate, args: readonly Argument[]): string {
  const seqs = new Map(args.map(({ id, seq }) => [id, seq]));
  const parts = args.map((argument) => {
    const { seq, type, role, parent_id, created_at, content, options, chosen_option, close } = argument;
    const parent = parent_id === null ? undefined : seqs.get(parent_id);
    return [
      `## #${seq} ${type} by the ${role}`,
      [
        created_at,
        ...(parent === undefined ? [] : [`answers #${parent}`]),
        ...(typeof chosen_option === 'number' ? [`chose option ${chosen_option + 1}`] : []),
        ...(close ? ['closed the debate'] : []),
      ].join(', '),
      content.trim() || '(no text)',
      ...(options?.length
        ? [
            options
              .map(({ label, detail }, index) => `${index + 1}. ${label}${detail ? `: ${detail}` : ''}`)
              .join('\n'),
          ]
        : []),
      ...(argument.issue_changes?.length ? [argument.issue_changes.map(changeText).join('\n')] : []),
    ].join('\n\n');
  });
  return `# ${debate.title}\n\nDebate \`${debate.id}\`, ${debate.debate_type}, ${debate.state}.\n\n${parts.join('\n\n')}\n`;
}

function changeText({
  change,
  issue,
  severity,
  title,
  note,
}: NonNullable<Argument['issue_changes']>[number]) {
  const what = [severity, title].filter(Boolean).join(': ');
  return `- ${issue} ${change}${what && ` (${what})`}${note ? `: ${note}` : ''}`;
}
