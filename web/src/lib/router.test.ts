import { expect, it } from 'vitest';
import { debateIdIn, debatePath, issueInHash, seqInHash } from './router';

it('reads the debate id from the path', () => {
  expect(debateIdIn('/')).toBeNull();
  expect(debateIdIn('/d/ABC')).toBe('abc');
  expect(debateIdIn('/d/abc/')).toBe('abc');
  expect(debateIdIn('/d/abc/more')).toBeNull();
  expect(debateIdIn('/d/%E0%A4%A')).toBe('%e0%a4%a');
});

it('builds the path of a debate, of an argument and of an issue', () => {
  expect(debatePath('a b')).toBe('/d/a%20b');
  expect(debatePath('abc', 5)).toBe('/d/abc#5');
  expect(debatePath('abc', 'I2')).toBe('/d/abc#I2');
});

it('reads the seq of an argument from the hash', () => {
  expect(seqInHash('#12')).toBe(12);
  expect(seqInHash('')).toBeNull();
  expect(seqInHash('#a12')).toBeNull();
});

it('reads the id of an issue from the hash', () => {
  expect(issueInHash('#I12')).toBe('I12');
  expect(issueInHash('#12')).toBeNull();
  expect(issueInHash('#I0')).toBeNull();
});
