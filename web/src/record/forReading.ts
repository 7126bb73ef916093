/**
 * The record as it is read: title, outcome with the plan, then how it came to that, and ids and hashes last. The headings are the
 * server's own, since what others wrote is quoted in it.
 */
export function forReading(markdown: string, debateId: string): string {
  const proofs = [`Debate: ${debateId}`];
  const text = markdown
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replace(` in the debate \`${debateId}\``, '')
    .replace(/^Its SHA-256 is (`[0-9a-f]{64}`)\.\n/m, (_, hash) => {
      proofs.push(`SHA-256 of the plan: ${hash}`);
      return '';
    });
  const [title = '', ...sections] = text.split(/^(?=## )/m);
  const outcome = sections.filter((section) => section.startsWith('## Decision Outcome'));
  const others = sections.filter((section) => !outcome.includes(section));
  return `${[title, ...outcome, ...others].join('').trimEnd()}\n\n${proofs.map((proof) => `- ${proof}`).join('\n')}\n`;
}
