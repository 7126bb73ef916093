import { beforeAll, describe, expect, it } from 'vitest';
import { STATES } from '@/api/types';
import { format, loadLanguage, translator } from '.';
import { en, type Message } from './en';
import { vi } from './vi';

const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

beforeAll(() => loadLanguage('vi'));

describe('English and Vietnamese', () => {
  it('have the same keys', () => {
    expect(Object.keys(vi).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.entries(en))('%s: both have a text, with the same placeholders', (key, message: Message) => {
    const [first = '', ...others] = [...forms(message), ...forms(vi[key as keyof typeof vi])];
    for (const text of [first, ...others]) {
      expect(text.trim()).not.toBe('');
      expect(placeholders(text)).toEqual(placeholders(first));
    }
  });

  it('label every state, and show a name of a newer server as it is', () => {
    for (const t of [translator('en'), translator('vi')]) {
      for (const state of STATES) expect(t.label('state', state)).not.toBe(state);
      expect(t.label('state', 'SOMETHING_NEW')).toBe('SOMETHING_NEW');
      expect(t.failure({ code: 'SOMETHING_NEW', message: 'as it says' })).toBe('as it says');
      expect(t.failure({ code: 'INTERNAL_ERROR', message: '', log_id: 'r-7' })).toContain('r-7');
    }
  });
});

it('has one Vietnamese word for an option', () => {
  expect(JSON.stringify(vi).toLocaleLowerCase()).not.toMatch(/lựa chọn|t(ùy|uỳ) chọn/);
});

it('chooses the plural form', () => {
  const counts = [0, 1, 2].map((n) => translator('en')('issues.blocking.long', { n }));
  expect(counts).toEqual(['0 block completion', '1 blocks completion', '2 block completion']);
  expect(translator('vi')('issues.blocking.long', { n: 1 })).toContain('1');
});

it('fills placeholders, and leaves unknown ones as they are', () => {
  expect(format('{a} and {b}', { a: '$&' })).toBe('$& and {b}');
});

it('says how long ago a moment was, in one form', () => {
  const now = Date.parse('2030-03-01T12:00:00Z');
  const ago = (seconds: number) => translator('en').ago(new Date(now - seconds * 1000).toISOString(), now);
  expect([-5, 30, 300, 3 * 3600, 26 * 3600].map(ago)).toEqual([
    'now',
    'now',
    '5 min. ago',
    '3 hr. ago',
    '26 hr. ago',
  ]);
  expect([5 * 86_400, 40 * 86_400].map(ago)).toEqual(['5 days ago', 'Jan 20, 2030']);
});
