/**
 * The record as it is read: title, outcome with the plan, then how it came to that, and ids and hashes last. The headings are the
 * server's own, since what others wrote is quoted in it. What was asked stands with what was ruled on it; arguments are links to `address`,
 * that of the debate.
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
  const [title = '', ...sections] = linked(withQuestions(inWords(text)), address).split(/^(?=## )/m);
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

/** What an appeal asked is put before the ruling on it. */
function withQuestions(text: string): string {
  const asked = new Map(
    Array.from(text.matchAll(/^What the appeal in argument (\d+) asked:\n\n((?:>.*\n)+)/gm), (match) => [
      match[1],
      match[2],
    ]),
  );
  const ruledOn = new Map(
    Array.from(text.matchAll(/^- Argument (\d+), on an appeal in argument (\d+)$/gm), (match) => [
      match[1],
      match[2],
    ]),
  );
  return text.replace(/^What argument (\d+) rules:$/gm, (line, ruling) => {
    const appeal = ruledOn.get(ruling);
    const question = asked.get(appeal);
    return question === undefined
      ? line
      : `Argument ${appeal} asked:\n\n${question}\nArgument ${ruling} rules:`;
  });
}

/** The lines in which the server itself names arguments; what it quotes begins otherwise. */
const NAMES_ARGUMENTS =
  /^(?:The ruling in argument \d+, at .*|- Argument \d+, on .* in argument \d+|What argument \d+ rules:|What the appeal in argument \d+ asked:|Argument \d+ (?:asked|rules):)$/gm;

function linked(text: string, address: string): string {
  return text.replace(NAMES_ARGUMENTS, (line) =>
    line.replace(/\bargument (\d+)/gi, (_, seq) => `[#${seq}](${address}#${seq})`),
  );
}
