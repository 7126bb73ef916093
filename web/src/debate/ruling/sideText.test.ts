import { expect, it } from 'vitest';
import { argument, issue } from '@/testing/samples';
import { rolesWithLastWords, sideText } from './sideText';

const side = argument({ seq: 5, role: 'proposer', content: 'Last word on both.' });
const said = (role: string, seq: number, note?: string) => ({
  role,
  seq,
  argument_id: `argument-${seq}`,
  change: 'dispute',
  note,
});

it('begins with the side\u2019s last note on each issue that is referred, on one line; the last argument is read on demand', () => {
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
  expect(sideText(side, issues)).toEqual({
    text: '**I1**: Rare. # Very **I3** (#3): Costs a day.',
    rest: 'Last word on both.',
  });
});

it('where little has room begins each note on what is referred, rather than the first one alone', () => {
  const long = (start: string) => `${start} ${'and that costs far more than it saves '.repeat(4).trim()}.`;
  const issues = ['I1', 'I2'].map((id) =>
    issue({ id, referred: true, history: [said('proposer', 5, long(`About ${id} we differ,`))] }),
  );
  const { beginning = '', text } = sideText(side, issues);
  expect(beginning).toMatch(
    /^\*\*I1\*\*: About I1 we differ, .{10,60}… \*\*I2\*\*: About I2 we differ, .{10,60}…$/,
  );
  expect(text.length).toBeGreaterThan(2 * beginning.length);
  // One alone is cut where its line ends, and of short ones nothing is cut.
  expect(sideText(side, issues.slice(0, 1)).beginning).toBeUndefined();
  const short = issues.map((each) => ({ ...each, history: [said('proposer', 5, 'Rare.')] }));
  expect(sideText(side, short).beginning).toBeUndefined();
});

it('is the last argument, without the line of its plan, where the side noted nothing on what is referred', () => {
  const issues = [issue({ id: 'I1', referred: true, history: [said('opponent', 2, 'A fault.')] })];
  const content = `Plan: doc_id=${side.debate_id} v2\n\nIt is mended.`;
  expect(sideText({ ...side, content }, issues)).toEqual({ text: 'It is mended.', rest: null });
});

it('goes on with the last argument where it noted nothing on some of what is referred', () => {
  const issues = [
    issue({ id: 'I1', referred: true, history: [said('proposer', 5, 'Rare.')] }),
    issue({ id: 'I2', referred: true, history: [said('opponent', 2, 'A fault.')] }),
  ];
  expect(sideText(side, issues)).toEqual({ text: '**I1**: Rare.\n\nLast word on both.', rest: null });
});

it('tells whose last words stand with the sides: not those of a side that noted nothing on some of what is referred', () => {
  const both = [said('opponent', 4, 'A fault.'), said('proposer', 5, 'Rare.')];
  const opponent = argument({ seq: 6, role: 'opponent', content: 'No.' });
  const issues = [
    issue({ id: 'I1', referred: true, history: both }),
    issue({ id: 'I2', referred: true, history: [said('opponent', 4, 'Another.')] }),
  ];
  expect(rolesWithLastWords([side, opponent], issues)).toEqual(['opponent']);
  expect(rolesWithLastWords([side, opponent], issues.slice(0, 1))).toEqual(['proposer', 'opponent']);
  // Of a long debate what a side argued may not be loaded: then nothing of it stands there.
  expect(rolesWithLastWords([opponent], issues.slice(0, 1))).toEqual(['opponent']);
});

it('is the last argument where the appeal refers many issues, which have the last words on demand', () => {
  const many = Array.from({ length: 7 }, (_, index) =>
    issue({ id: `I${index + 1}`, referred: true, history: [said('proposer', 5, 'Rare.')] }),
  );
  expect(sideText(side, many)).toEqual({ text: 'Last word on both.', rest: null });
  expect(rolesWithLastWords([side], many)).toEqual(['proposer']);
  expect(sideText(side, many.slice(1)).text).toMatch(/^\*\*I2\*\*: Rare\. /);
});
