import { expect, it } from 'vitest';
import { debateIdIn, debatePath } from './router';

it('reads the debate from the address', () => {
  expect(debateIdIn('/')).toBeNull();
  expect(debateIdIn('/d/ABC')).toBe('abc');
  expect(debateIdIn('/d/abc/')).toBe('abc');
  expect(debateIdIn('/d/abc/more')).toBeNull();
  expect(debateIdIn('/d/%E0%A4%A')).toBe('%e0%a4%a');
});

it('writes it', () => {
  expect(debatePath('a b')).toBe('/d/a%20b');
  expect(debatePath('abc', 5)).toBe('/d/abc#5');
});
