import { describe, expect, it } from 'vitest';
import { STATES } from '@/api/types';
import { format, translator } from '.';
import { en } from './en';
import { vi } from './vi';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the two languages', () => {
  it('say the same things', () => {
    expect(Object.keys(vi).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.entries(en))('%s: is there in both, with the same placeholders', (key, text) => {
    const other = vi[key as keyof typeof vi];
    expect(text.trim()).not.toBe('');
    expect(other.trim()).not.toBe('');
    expect(placeholders(other)).toEqual(placeholders(text));
  });

  it('have a word for all that the server names', () => {
    for (const t of [translator('en'), translator('vi')]) {
      for (const state of STATES) expect(t.word('state', state)).not.toBe(state);
      expect(t.word('state', 'SOMETHING_NEW')).toBe('SOMETHING_NEW');
      expect(t.failure({ code: 'SOMETHING_NEW', message: 'as it says' })).toBe('as it says');
    }
  });
});

it('fills placeholders, and leaves alone what it does not know', () => {
  expect(format('{a} and {b}', { a: '$&' })).toBe('$& and {b}');
});
