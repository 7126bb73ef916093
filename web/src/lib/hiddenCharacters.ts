import { HIDDEN_RANGES } from './hiddenCharacterRanges';

/** These characters and the C0 controls but a tab and a line break. */
const HIDDEN = new RegExp(String.raw`[\0-\x08\x0b-\x1f${HIDDEN_RANGES}]`, 'gu');

/** A text with such characters as `\u{202e}`, as `aw` and records have them: with them it could look like another one. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);
}

/** What a server answers with such characters visible, but in contents, which are shown where they are rendered. */
export function withVisibleTexts<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (key === 'content' ? value : visible(value)) as T;
  if (Array.isArray(value)) return value.map((item) => withVisibleTexts(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, withVisibleTexts(part, name)]);
  return Object.fromEntries(entries) as T;
}
