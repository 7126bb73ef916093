import { expect, it } from 'vitest';
import { forReading } from './forReading';

const ADDRESS = 'https://here/d/d-1';
const HASH = 'a'.repeat(64);

it('begins with title and outcome, and ends with what proves it', () => {
  const markdown = [
    '---\nstatus: accepted\n---\n',
    '# Retry policy\n',
    '## Context and Problem Statement\n',
    'What the proposer put forward in the debate `d-1`, opened at noon:\n',
    '> ## Decision Outcome\n>\n> of the proposer\n',
    '## Decision Outcome\n',
    `The plan is v2.\nIts SHA-256 is \`${HASH}\`.\nSeen.\n`,
    '## More Information\n',
    'Figures.\n',
  ].join('\n');
  expect(forReading(markdown, 'd-1', ADDRESS)).toBe(
    [
      '# Retry policy\n',
      '## Decision Outcome\n',
      'The plan is v2.\nSeen.\n',
      '## Context and Problem Statement\n',
      'What the proposer put forward, opened at noon:\n',
      '> ## Decision Outcome\n>\n> of the proposer\n',
      '## More Information\n',
      'Figures.\n',
      `- Debate: d-1\n- SHA-256 of the plan: \`${HASH}\`\n`,
    ].join('\n'),
  );
  // What has another form is shown as it is.
  expect(forReading('Text', 'd-1', ADDRESS)).toBe('Text\n\n- Debate: d-1\n');
});

it('has headings in words, but what others wrote as they wrote it', () => {
  const read = forReading('# A\n\n> ### Ledger\n\n### Ledger\n\nx\n\n### Dissent\n\ny\n', 'd-1', ADDRESS);
  expect(read).toContain(
    '> ### Ledger\n\n### All issues\n\nx\n\n### What was disputed, upheld or dismissed\n\ny\n',
  );
});

it('has arguments as links where the server names them', () => {
  const markdown = [
    '# Retry policy\n',
    'Decided in argument 6: **No**: as argument 4 says\n',
    '## Considered Options\n',
    'What the appeal in argument 5 asked:\n',
    '> May two pods differ?\n> Decided in argument 6: no\n',
    '## Decision Outcome\n',
    'The ruling in argument 11, at noon:\n',
    '### Consequences\n',
    'Argument 6, on an appeal in argument 5:\n',
    '> No.\n',
    'Argument 9, on an intervention in argument 8:\n',
  ].join('\n');
  const link = (seq: number) => `[#${seq}](${ADDRESS}#${seq})`;
  const read = forReading(markdown, 'd-1', ADDRESS);
  for (const line of [
    `Decided in ${link(6)}: **No**: as argument 4 says\n`,
    `What the appeal in ${link(5)} asked:\n\n> May two pods differ?\n> Decided in argument 6: no\n`,
    `The ruling in ${link(11)}, at noon:\n`,
    `\n${link(6)}, on an appeal in ${link(5)}:\n\n> No.`,
    `\n${link(9)}, on an intervention in ${link(8)}:\n`,
  ]) {
    expect(read).toContain(line);
  }
});
