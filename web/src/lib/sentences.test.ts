import { expect, it } from 'vitest';
import { beginningOf, countWords, nearest, sentenceEnds } from './sentences';

it('knows where sentences and paragraphs end, and that a number, a version or a short form ends none', () => {
  const ends = (text: string) => {
    const all = [0, ...sentenceEnds(text)];
    return all.slice(1).map((end, index) => text.slice(all[index], end).trim());
  };
  expect(ends('It waits 3.5 s in v1.2. Then, e.g. after a crash, it stops! Why?')).toEqual([
    'It waits 3.5 s in v1.2.',
    'Then, e.g. after a crash, it stops!',
    'Why?',
  ]);
  expect(ends('Nobody asked\n\nNobody knows')).toEqual(['Nobody asked', 'Nobody knows']);
  expect(ends('1. The first. 2. The second.')).toEqual(['1. The first.', '2. The second.']);
  expect(ends('We disagree on the place:\n\nIn memory. On disk.')).toEqual([
    'We disagree on the place:\n\nIn memory.',
    'On disk.',
  ]);
  expect(ends('不会。会。')).toEqual(['不会。']);
});

it('takes the last place in the room, or one a little further if that leaves most of it empty', () => {
  const at = (places: readonly number[]) => nearest(places, 8, (place) => place);
  expect(at([1, 5, 7, 9])).toBe(7);
  expect(at([1, 11, 12])).toBe(11);
  expect(at([1, 13])).toBeUndefined();
  expect(at([13])).toBeUndefined();
  expect(at([])).toBeUndefined();
});

it('has the beginning of a text to the end of a sentence, and how many words are left', () => {
  const first = 'The order is stored twice.';
  const second = 'Nobody notices it for days.';
  expect(beginningOf(`${first} ${second}`, 40)).toEqual({ shown: `${first} ${second}`, left: 0 });
  expect(beginningOf(`${first} ${second} ${second}`, 30)).toEqual({ shown: first, left: 10 });
  // Lines take room, however short they are.
  expect(beginningOf('One line\nTwo lines\nThree lines', 60)).toEqual({
    shown: 'One line\nTwo lines',
    left: 2,
  });
  // Where no sentence ends near, at the end of a word.
  const { shown, left } = beginningOf('word '.repeat(40), 30);
  expect([shown, left]).toEqual(['word word word word word word…', 34]);
  expect(countWords('## A *plan* – 2 `steps` | x')).toBe(5);
});

it('cuts a text without blanks, and one whose first sentence is a word or two, where a word ends', () => {
  expect(beginningOf('服务器把每个订单存储两次'.repeat(6), 30)).toEqual({
    shown: expect.stringMatching(/^服务器.{15,27}…$/),
    left: expect.any(Number),
  });
  expect(countWords('服务器把每个订单存储两次')).toBeGreaterThan(3);
  const address = `https://example.org/${'a'.repeat(80)}`;
  expect(beginningOf(address, 60)).toEqual({ shown: `${address.slice(0, 60)}…`, left: 1 });
  const short = 'Not agreed. The server stores each order twice and nobody has noticed it for days';
  expect(beginningOf(short, 40).shown).toBe('Not agreed. The server stores each order…');
  expect(beginningOf('👩‍👩‍👧'.repeat(40), 30)).toEqual({ shown: `${'👩‍👩‍👧'.repeat(3)}…`, left: 0 });
});
