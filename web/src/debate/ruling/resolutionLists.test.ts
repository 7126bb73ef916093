import { expect, it } from 'vitest';
import { resolutionLists } from './resolutionLists';

it('finds what was decided and what is left as notes', () => {
  const content = [
    'The plan is done.',
    '',
    '- not this',
    '',
    '## Decided for you',
    '',
    '- Keys live a day; a week would cost 3 GB.',
    '- Errors are text,',
    '  not codes.',
    '',
    '**Notes for whoever implements it**',
    '1. Log the key.',
    '',
    'And that is all.',
    '- nor this',
  ].join('\n');
  expect(resolutionLists(content)).toEqual({
    text: 'The plan is done.\n\n- not this\n\nAnd that is all.\n- nor this',
    lists: [
      {
        heading: 'Decided for you',
        lines: ['Keys live a day; a week would cost 3 GB.', 'Errors are text, not codes.'],
      },
      { heading: 'Notes for whoever implements it', lines: ['Log the key.'] },
    ],
  });
  for (const other of ['', 'Decided for you', '- a\n- b', '# Decided for you, too\n- a']) {
    expect(resolutionLists(other)).toEqual({ text: other, lists: [] });
  }
});
