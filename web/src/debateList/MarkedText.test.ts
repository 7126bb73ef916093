import { expect, it } from 'vitest';
import { partsOf } from '@/lib/foundWords';
import { fromWord } from './MarkedText';

const marked = (text: string, query: string) =>
  partsOf(text, query)
    .map(({ part, found }) => (found ? `[${part}]` : part))
    .join('');

it('marks the words of a search, whatever their letters', () => {
  expect(marked('Retry after a timeout', 'retry TIME')).toBe('[Retry] after a [time]out');
  expect(marked('a timeout', '"a time"')).toBe('[a time]out');
  expect(marked('f(x) + 1', '(x) +')).toBe('f[(x) +] 1');
  expect(marked('f(x) + 1', '+ (x)')).toBe('f[(x)] [+] 1');
  expect(marked('Nothing', '')).toBe('Nothing');
  expect(marked('Nothing', '"')).toBe('Nothing');
});

it('marks the words as they were typed, if they stand so in the text', () => {
  const text = 'For the test they took the mixed sentence for a trick, the others not';
  expect(marked(text, 'The mixed sentence for a')).toBe(
    'For the test they took [the mixed sentence for a] trick, the others not',
  );
  expect(fromWord(`${'the '.repeat(40)}mixed sentence`, 'the mixed')).toMatch(/^…/);
});

it('begins an excerpt of the middle of a text with a word', () => {
  const before = 'x'.repeat(9);
  const middle = `${Array.from({ length: 10 }, () => before).join(' ')} found here`;
  expect(fromWord(middle, 'found')).toBe(`…${middle.slice(49)}`);
  expect(fromWord('The client is found', 'found')).toBe('The client is found');
  expect(fromWord(`${'x'.repeat(120)}found`, 'found')).toBe(`${'x'.repeat(120)}found`);
});

it('marks a short word of several only where it stands alone', () => {
  const found = (query: string) =>
    partsOf('A plan of a table, offered', query).flatMap(({ part, found }) => (found ? part : []));
  expect(found('table a')).toEqual(['A', 'a', 'table']);
  expect(found('of plan')).toEqual(['plan', 'of']);
  expect(found('a')).toEqual(['A', 'a', 'a', 'a']);
});
