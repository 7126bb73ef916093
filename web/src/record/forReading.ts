/**
 * The record as it is read: title, outcome with the plan, then how it came to that, and ids and hashes last. The headings are the
 * server's own, since what others wrote is quoted in it. Arguments are links to `address`, that of the debate.
 */
export function forReading(markdown: string, debateId: string, address: string): string {
  const proofs = [`Debate: ${debateId}`];
  const text = markdown
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replace(` in the debate \`${debateId}\``, '')
    .replace(/^Its SHA-256 is (`[0-9a-f]{64}`)\.\n/m, (_, hash) => {
      proofs.push(`SHA-256 of the plan: ${hash}`);
      return '';
    });
  const [title = '', ...sections] = linked(inWords(text), address).split(/^(?=## )/m);
  const outcome = sections.filter((section) => section.startsWith('## Decision Outcome'));
  const others = sections.filter((section) => !outcome.includes(section));
  return `${[title, ...outcome, ...others].join('').trimEnd()}\n\n${proofs.map((proof) => `- ${proof}`).join('\n')}\n`;
}

/** Two headings in the words of somebody who reads; what a ruling upheld or dismissed is no dissent. */
function inWords(text: string): string {
  return text
    .replace(/^### Ledger$/m, '### All issues')
    .replace(/^### Dissent$/m, '### What was disputed, upheld or dismissed');
}

/** The lines in which the server itself names arguments; what it quotes begins otherwise. */
const NAMES_ARGUMENTS =
  /^(?:The ruling in argument \d+, at |Decided in argument \d+: |Argument \d+, on an? [a-z ]+ in argument \d+:$|What the appeal in argument \d+ asked:$)/gm;

function linked(text: string, address: string): string {
  return text.replace(NAMES_ARGUMENTS, (line) =>
    line.replace(/\bargument (\d+)/gi, (_, seq) => `[#${seq}](${address}#${seq})`),
  );
}
