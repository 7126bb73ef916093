import type { Element } from 'hast';
import type { Root, Yaml } from 'mdast';
import { elementOf, textNode } from './nodes';

/** Front matter begins a text, with a name and a value in its first line. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?=[\w.-]+:)[\s\S]*?\n---[ \t]*(?=\r?\n|$)/;
const NAME = /^([\w.-]+):(?:[ \t]+|$)/;

/** Parses a text without its front matter, which becomes a node of its own. */
export function withFrontMatter(text: string, parse: (text: string) => Root): Root {
  const whole = FRONT_MATTER.exec(text)?.[0];
  if (whole === undefined) return parse(text);
  // What follows keeps its place.
  const tree = parse(whole.replace(/[^\r\n]/g, ' ') + text.slice(whole.length));
  const lines = whole.split('\n');
  const end = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, offset: whole.length };
  tree.children.unshift({
    type: 'yaml',
    value: lines.slice(1, -1).join('\n'),
    position: { start: { line: 1, column: 1, offset: 0 }, end },
  });
  return tree;
}

/** Front matter as a table of names and values. What belongs to no name continues the value above it. */
export function frontMatterTable({ value }: Pick<Yaml, 'value'>): Element {
  const rows: { name: string; value: string; from: number; to: number }[] = [];
  for (const [index, line] of value.split('\n').entries()) {
    // The first line is that with the dashes.
    const number = index + 2;
    const name = NAME.exec(line);
    const last = rows.at(-1);
    if (name !== null || last === undefined) {
      rows.push({
        name: name?.[1] ?? '',
        value: line.slice(name?.[0].length ?? 0),
        from: number,
        to: number,
      });
    } else {
      last.value += `\n${line}`;
      last.to = number;
    }
  }
  return elementOf('table', [
    elementOf(
      'tbody',
      rows.map(({ name, value, from, to }) => row(name, value.trim(), from, to)),
    ),
  ]);
}

function row(name: string, value: string, from: number, to: number): Element {
  const at = (line: number) => ({ line, column: 1 });
  const cells = [elementOf('th', [textNode(name)]), elementOf('td', [textNode(value)])];
  return { ...elementOf('tr', cells), position: { start: at(from), end: at(to) } };
}
