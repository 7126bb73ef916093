// A scripted agent of the demo: `aw debate run` starts it for each turn. It reads what it is asked from standard input, changes
// `plan.md` in its folder if it is the proposer, and prints its answer. DEMO_SPEED is its reading speed, as in demo.mjs.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const texts = join(dirname(fileURLToPath(import.meta.url)), 'texts');
const text = (name) => readFileSync(join(texts, name), 'utf8');
const prompt = readFileSync(0, 'utf8');
const mark = /with the mark (\w+)/.exec(prompt)[1];

/** The texts by others with this name, which stand between lines with the mark. */
const material = (name) =>
  prompt
    .split(`--- ${mark} begins: `)
    .slice(1)
    .filter((part) => part.startsWith(name))
    .map((part) => part.slice(part.indexOf('\n') + 1, part.indexOf(`\n--- ${mark} ends`)));

/** The issues that may be fixed or settled now, as the moves name them. */
function issuesTo(change) {
  const moves = [...prompt.matchAll(/^- `\w+`, issue_changes that may fit: (.*)$/gm)].map(([, json]) => JSON.parse(json));
  return moves.find((changes) => changes[change])?.[change] ?? [];
}

/** The part of the second plan that answers each of the first issues. */
const PARTS = { I1: 'What changes, 1', I2: 'What changes, 3', I3: 'What changes, 2' };
const BOUNDS = 'Bounds set by the arbitrator';
const fixes = () =>
  issuesTo('fix').map((issue) => ({ change: 'fix', issue, note: `The plan, "${PARTS[issue] ?? BOUNDS}"` }));

function proposer() {
  const plan = readFileSync('plan.md', 'utf8');
  const [head, kept = ''] = plan.split(`\n## ${BOUNDS}\n`);
  const quoted = material('a ruling').map((ruling) => {
    const [, content, chosen] = /^([^]*?)(?:\nThe option that it chose: (.*))?$/.exec(ruling.split('\n\nIts notes')[0]);
    const label = chosen ? `**${chosen}.** ` : '';
    return `${label}${content}`.replace(/^/gm, '> ');
  });
  const unheard = quoted.filter((ruling) => !kept.includes(ruling));
  const write = (body, rulings) =>
    writeFileSync('plan.md', rulings.length > 0 ? `${body.trimEnd()}\n\n## ${BOUNDS}\n\n${rulings.join('\n\n')}\n` : body);
  if (unheard.length > 0) {
    const body = issuesTo('fix').length > 0 ? text('plan-2.md') : head;
    write(body, quoted);
    return { move: 'claim', content: text('06-align.md').replace('{{ruling}}', unheard.join('\n\n')), issue_changes: fixes() };
  }
  if (!plan.includes('price_for_payment')) {
    write(text('plan-2.md'), quoted);
    return { move: 'claim', content: text('03-proposer.md'), issue_changes: fixes() };
  }
  const refer = issuesTo('fix').map((issue) => ({ change: 'refer', issue }));
  const options = [
    { label: '60 seconds', detail: 'a timer, as planned; simple, and wrong for a minute after a change' },
    { label: 'At once', detail: 'NOTIFY and a listening connection per server' },
  ];
  return { move: 'appeal', content: text('05-appeal.md'), options, issue_changes: refer };
}

const raise = (severity, title, location) => ({ change: 'raise', severity, title, location });
const RAISED = [
  [
    raise('critical', 'A customer is charged a price that is up to 60 s old', 'checkout/total.rs'),
    raise('high', 'No list at all if the first load fails', 'plan, point 3'),
    raise('high', 'Two prices for one thing on a page', 'plan, point 2'),
  ],
  [raise('high', 'A displayed price may be 60 s old', 'plan, point 2')],
];

function opponent() {
  const before = Number(process.env.AW_TURN) - 1;
  const resolve = issuesTo('resolve').map((issue) => ({ change: 'resolve', issue }));
  const content = text(['02-opponent.md', '04-opponent.md'][before] ?? '07-agree.md');
  return { move: 'claim', content, issue_changes: [...(RAISED[before] ?? []), ...resolve] };
}

const answer = process.env.AW_ROLE === 'proposer' ? proposer() : opponent();
await sleep(Math.min(9000, 3000 + 4 * answer.content.length) / Number(process.env.DEMO_SPEED || 1));
process.stdout.write(JSON.stringify(answer));
