import { expect, it } from 'vitest';
import { argument, issue } from '@/testing/samples';
import { placeOfWords, rolesWithLastWords, sideText } from './sideText';

const side = argument({ seq: 5, role: 'proposer', content: 'Last word on both.' });
const said = (role: string, seq: number, note?: string) => ({
  role,
  seq,
  argument_id: `argument-${seq}`,
  change: 'dispute',
  note,
});

it('begins with the side\u2019s last note on each issue that is referred, on one line', () => {
  const issues = [
    issue({
      id: 'I1',
      referred: true,
      history: [
        said('proposer', 3, 'Old.'),
        said('proposer', 5, 'Rare.\n# Very'),
        said('opponent', 6, 'Not so.'),
      ],
    }),
    issue({ id: 'I2', referred: false, history: [said('proposer', 5, 'Never mind.')] }),
    issue({ id: 'I3', referred: true, history: [said('proposer', 3, 'Costs a day.'), said('proposer', 5)] }),
  ];
  expect(sideText(side, issues)).toBe('**I1**: Rare. # Very **I3** (#3): Costs a day.\n\nLast word on both.');
});

it('is the last argument, without the line of its plan, where the side noted nothing on what is referred', () => {
  const issues = [issue({ id: 'I1', referred: true, history: [said('opponent', 2, 'A fault.')] })];
  const content = `Plan: doc_id=${side.debate_id} v2\n\nIt is mended.`;
  expect(sideText({ ...side, content }, issues)).toBe('It is mended.');
});

it('is the last argument where the appeal refers many issues, which have the last words on demand', () => {
  const many = Array.from({ length: 7 }, (_, index) =>
    issue({ id: `I${index + 1}`, referred: true, history: [said('proposer', 5, 'Rare.')] }),
  );
  expect(sideText(side, many)).toBe('Last word on both.');
  expect(rolesWithLastWords([side], many)).toEqual(['proposer', 'opponent']);
  expect(sideText(side, many.slice(1))).toMatch(/^\*\*I2\*\*: Rare\. /);
  // Of a long debate what the other side argued last may not be loaded: then nothing of it stands there.
  expect(rolesWithLastWords([side], many.slice(1))).toEqual(['proposer']);
});

it('stands with the titles of few issues on which both noted something; without options with what is decided of each', () => {
  const history = [said('opponent', 4, 'A fault.'), said('proposer', 5, 'Rare.')];
  const both = ['I1', 'I2'].map((id) => issue({ id, referred: true, history }));
  const place = (issues: typeof both, named = issues, options = [{ label: 'Yes' }]) =>
    placeOfWords({ argument: argument({ options }), issues }, named);
  expect(place(both)).toBe('titles');
  expect(place(both, [], [])).toBe('cards');
  // A table names them.
  expect(place(both, [])).toBe('sides');
  expect(place([issue({ id: 'I3', referred: true, history: history.slice(1) }), ...both])).toBe('sides');
  expect(place(Array.from({ length: 7 }, (_, n) => issue({ id: `I${n}`, referred: true, history })))).toBe(
    'sides',
  );
  expect(place([issue({ id: 'I1', referred: false, history })])).toBe('sides');
});
