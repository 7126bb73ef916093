import { expect, it } from 'vitest';
import { visible, withVisibleTexts } from './hiddenCharacters';

it('shows characters that are invisible or turn others around, and keeps lines, tabs and joiners', () => {
  expect(visible('keep\u202edetele \u200b\u2066\ufeff\u007f')).toBe(
    'keep\\u{202e}detele \\u{200b}\\u{2066}\\u{feff}\\u{7f}',
  );
  expect(visible('a\r\nb\tc\u200dd\re')).toBe('a\nb\tc\u200dd\\u{d}e');
});

it('shows them in all texts of an answer but contents', () => {
  const text = 'a\u202eb';
  expect(
    withVisibleTexts({ title: text, options: [{ label: text }], content: text, seq: 1, note: null }),
  ).toEqual({
    title: 'a\\u{202e}b',
    options: [{ label: 'a\\u{202e}b' }],
    content: text,
    seq: 1,
    note: null,
  });
});
