const LONG_CHARACTERS = 1600;
const LONG_LINES = 26;

/** Decided by the text, not by its rendered height, so that a card has its final height from the start. */
export function isLong(content: string): boolean {
  if (content.length > LONG_CHARACTERS) return true;
  let lines = 0;
  for (const character of content) if (character === '\n') lines += 1;
  return lines > LONG_LINES;
}

const PREVIEW_CHARACTERS = 2400;
const PREVIEW_LINES = 48;

/** The beginning of a text: as much as a collapsed card can show. */
export function preview(content: string): string {
  const lines = content.slice(0, PREVIEW_CHARACTERS).split('\n', PREVIEW_LINES);
  return lines.join('\n');
}
