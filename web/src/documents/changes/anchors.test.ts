import { expect, it } from 'vitest';
import { alignByAnchors } from './anchors';

const lines = (text: string) => Array.from(text, (letter) => ({ text: letter }));
const aligned = (left: string, right: string) =>
  alignByAnchors(lines(left), lines(right)).map(({ same, left: old, right: now }) =>
    same ? old?.text : `-${old?.text ?? ''}+${now?.text ?? ''}`,
  );

it('keeps what both have once in the same order, and takes the rest as replaced', () => {
  expect(aligned('abc', 'axc')).toEqual(['a', '-b+x', 'c']);
  expect(aligned('abcd', 'abd')).toEqual(['a', 'b', '-c+', 'd']);
  expect(aligned('', 'ab')).toEqual(['-+a', '-+b']);
  // What moved is kept where more stays in order.
  expect(aligned('xabc', 'abcx')).toEqual(['-x+', 'a', 'b', 'c', '-+x']);
  // What is repeated is no anchor, and kept where it is at once equal.
  expect(aligned('ssasb', 'sscsb')).toEqual(['s', 's', '-a+c', '-s+s', 'b']);
});

it('has all items of both sides in their order', () => {
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  for (let turn = 0; turn < 300; turn += 1) {
    const text = () => Array.from({ length: next(30) }, () => String.fromCharCode(97 + next(20))).join('');
    const [left, right] = [text(), text()];
    const pairs = alignByAnchors(lines(left), lines(right));
    expect(pairs.map((pair) => pair.left?.text ?? '').join('')).toBe(left);
    expect(pairs.map((pair) => pair.right?.text ?? '').join('')).toBe(right);
    for (const { same, left: old, right: now } of pairs) if (same) expect(old?.text).toBe(now?.text);
  }
});
