const [CHARACTER, LINE, MARGIN] = [8.4, 19, 16];

/** What begins the codes of a terminal. */
const ESCAPE = String.fromCharCode(27);
const CODE = new RegExp(`(${ESCAPE}\\[[0-9;]*m)`, 'u');

/** The styles of the codes that `aw` uses. */
const STYLES: Record<string, string> = {
  '1': 'font-weight="bold"',
  '2': 'opacity="0.6"',
  '3': 'font-style="italic"',
  '9': 'text-decoration="line-through"',
  '31': 'fill="#ff7b72"',
  '36': 'fill="#79c0ff"',
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');

/** What a terminal with this many columns shows, as a picture. */
export function toSvg(shown: string, columns: number): string {
  const lines = shown
    .trimEnd()
    .split('\n')
    .flatMap((line) => broken(line, columns));
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const texts = lines.map(
    (line, at) => `<text x="${MARGIN}" y="${MARGIN + LINE * (at + 0.75)}">${spans(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
${texts.join('\n')}
</g>
</svg>
`;
}

/** A line as a terminal breaks it. Codes take no column. */
function broken(line: string, columns: number): string[] {
  const parts = [''];
  let used = 0;
  for (const token of tokens(line)) {
    const isCode = token.startsWith(ESCAPE);
    if (!isCode && used === columns) {
      parts.push('');
      used = 0;
    }
    parts[parts.length - 1] += token;
    if (!isCode) used += 1;
  }
  return parts;
}

/** Codes, and single characters. */
const tokens = (line: string) =>
  line.split(CODE).flatMap((part) => (part.startsWith(ESCAPE) ? [part] : [...part]));

function spans(line: string): string {
  let styles: string[] = [];
  const span = (text: string) => {
    if (text === '') return '';
    return styles.length > 0 ? `<tspan ${styles.join(' ')}>${escaped(text)}</tspan>` : escaped(text);
  };
  return line
    .split(CODE)
    .map((part) => {
      if (!part.startsWith(ESCAPE)) return span(part);
      styles = part
        .slice(2, -1)
        .split(';')
        .flatMap((code) => STYLES[code] ?? []);
      return '';
    })
    .join('');
}
