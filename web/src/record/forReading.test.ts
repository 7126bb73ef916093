import { expect, it } from 'vitest';
import { forReading } from './forReading';

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
  expect(forReading(markdown, 'd-1')).toBe(
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
  expect(forReading('Text', 'd-1')).toBe('Text\n\n- Debate: d-1\n');
});
