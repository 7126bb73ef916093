/** Characters that are invisible, or that change how their neighbours look; a tab and a line break do not. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

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
