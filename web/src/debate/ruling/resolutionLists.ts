/** The headings under which a run lists what the plan decides by itself, and what it left as notes. */
const HEADINGS = ['Decided for you', 'Notes for whoever implements it'] as const;

export interface ResolutionList {
  heading: (typeof HEADINGS)[number];
  lines: readonly string[];
}

const HEADING = /^(?:#{1,6}\s+|\*\*)?(.+?)(?:\*\*)?:?\s*#*$/;
const ITEM = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;

/** The lists below these headings in a resolution, each item with the lines that go on below it, and the text without them. */
export function resolutionLists(content: string): { text: string; lists: ResolutionList[] } {
  const lists: { heading: ResolutionList['heading']; lines: string[] }[] = [];
  const rest: string[] = [];
  let current: (typeof lists)[number] | null = null;
  for (const line of content.split('\n')) {
    const title = HEADING.exec(line.trim())?.[1];
    const heading = HEADINGS.find((one) => one === title);
    const item = ITEM.exec(line)?.[1];
    if (heading !== undefined) {
      current = { heading, lines: [] };
      lists.push(current);
    } else if (current !== null && item !== undefined) current.lines.push(item.trim());
    else if (current !== null && line.trim() !== '') {
      // What is indented goes on with the item; anything else ends the list.
      const last = current.lines.pop();
      if (last !== undefined) current.lines.push(/^\s/.test(line) ? `${last} ${line.trim()}` : last);
      if (!/^\s/.test(line)) current = null;
    }
    if (current === null) rest.push(line);
  }
  const found = lists.filter(({ lines }) => lines.length > 0);
  return { text: found.length === lists.length ? rest.join('\n') : content, lists: found };
}
