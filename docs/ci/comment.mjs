// Makes a comment on a pull request out of a record, which it reads from standard input, as `aw debate record --format json`
// writes or prints it. The first argument is the path of the plan.
//
// Texts by agents stand in code spans: there they mention nobody, link to nothing and are no HTML.

import { text } from 'node:stream/consumers';

/** GitHub takes 65,536 characters. */
const MAX_CHARACTERS = 60_000;

const [plan = 'the plan'] = process.argv.slice(2);
const document = JSON.parse(await text(process.stdin));
const { record } = document.content?.[0]?.data ?? document;
const { debate, issues, rulings, statistics } = record;

const code = (words) => {
  const line = String(words).replaceAll(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '¦').trim();
  return line ? `\`${line}\`` : '';
};

const OUTCOMES = {
  agreed: 'Both sides agree on the plan.',
  ruled: 'The debate is closed by a ruling.',
  open: 'The debate is not closed.',
};

const blocking = issues.filter((issue) => issue.blocking);
const lines = [`### Debate about ${code(plan)}`, '', OUTCOMES[record.outcome] ?? `Outcome: ${code(record.outcome)}`];
if (blocking.length > 0) lines.push('', `**What blocks: ${blocking.map((issue) => issue.id).join(', ')}**`);
lines.push('', `Rounds: ${statistics.rounds}. Rulings: ${rulings.length}. Plan: version ${record.plan?.version ?? '–'}.`);

if (issues.length > 0) {
  lines.push('', '| | severity | status | issue | where |', '|---|---|---|---|---|');
  for (const { id, severity, status, blocking, title, location } of issues) {
    lines.push(`| ${id} | ${severity} | ${blocking ? `**${status}**` : status} | ${code(title)} | ${code(location ?? '')} |`);
  }
}
if (record.decision) {
  lines.push('', 'The closing ruling:', '', '~~~text', ...fenced(record.decision.content), '~~~');
}
lines.push('', `The whole record is the artifact \`debate\` of this run (debate ${code(debate.id)}).`);

let comment = '';
for (const line of lines) {
  if (comment.length + line.length > MAX_CHARACTERS) {
    comment += '\n…and more: see the record.\n';
    break;
  }
  comment += `${line}\n`;
}
process.stdout.write(comment);

/** The lines of a text, none of which ends the block that it is in. */
function fenced(content) {
  return content.split(/\r\n?|\n/).map((line) => (line.trimStart().startsWith('~~~') ? ` '${line.trim()}` : line));
}
