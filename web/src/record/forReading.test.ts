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

it('has each ruling with what was asked, and arguments as links', () => {
  const markdown = [
    '# Retry policy\n',
    '## Considered Options\n',
    'What the appeal in argument 5 asked:\n',
    '> May two pods differ?\n> What argument 6 rules:\n',
    '- Yes\n',
    '## Decision Outcome\n',
    'The ruling in argument 11, at noon:\n',
    '> As argument 6 says.\n',
    '### Consequences\n',
    '- Argument 6, on an appeal in argument 5\n- Argument 9, on an intervention in argument 8\n',
    'What argument 6 rules:\n',
    '> No.\n',
    'What argument 9 rules:\n',
    '> Stop.\n',
  ].join('\n');
  const link = (seq: number) => `[#${seq}](${ADDRESS}#${seq})`;
  const read = forReading(markdown, 'd-1', ADDRESS);
  expect(read).toContain(
    `${link(5)} asked:\n\n> May two pods differ?\n> What argument 6 rules:\n\n${link(6)} rules:\n\n> No.\n`,
  );
  expect(read).toContain(`What ${link(9)} rules:\n\n> Stop.`);
  expect(read).toContain(`- ${link(9)}, on an intervention in ${link(8)}\n`);
  expect(read).toContain(`The ruling in ${link(11)}, at noon:\n\n> As argument 6 says.`);
});
