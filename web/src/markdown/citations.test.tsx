import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '@/testing/renderMarkdown';
import { citationsIn } from './citations';

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const OTHER = '93d81b1a-0e66-4510-abfd-aa33b26cb82e';

const cited = (text: string) =>
  citationsIn(text).map(({ start, end, id, version }) => [text.slice(start, end), id, version]);

describe('a text cites a document by', () => {
  it.each([
    ['its name', `doc_id=${ID}`, null],
    ['name and version', `doc_id=${ID} v2`, 2],
    ['name and version in brackets', `doc_id=${ID} (v2)`, 2],
    ['name and version in brackets without a space', `doc_id=${ID}(v12)`, 12],
    ['id and version', `${ID} v2`, 2],
    ['id and version in brackets', `${ID} (v2)`, 2],
    ['an id in capitals', `doc_id=${ID.toUpperCase()} V3`, 3],
    ['a name in capitals', `DOC_ID=${ID}`, null],
  ])('%s', (_, text, version) => {
    expect(cited(text)).toEqual([[text, ID, version]]);
    expect(cited(`See (${text}), and [${text}].`)).toEqual([
      [text, ID, version],
      [text, ID, version],
    ]);
    expect(cited(`“${text}”, ${text};`)).toHaveLength(2);
  });

  it.each([
    ['a bare id', ID],
    ['an id within a word', `x${ID} v2`],
    ['a longer id', `doc_id=${ID}0`],
    ['an id followed by a hyphen', `doc_id=${ID}-1 v2`],
    ['a truncated id', `doc_id=${ID.slice(0, -1)} v2`],
    ['another name', `debate_id=${ID}`],
    ['a longer name', `my_doc_id=${ID}`],
    ['a version with a dot', `${ID} v2.1`],
    ['a word that begins like a version', `${ID} v2nd`],
    ['version 0', `${ID} v0`],
  ])('not by %s', (_, text) => expect(cited(text)).toEqual([]));

  it.each([
    ['v2.1', 'v2', 2],
    ['v2_', 'v2', 2],
    ['v2-draft', 'v2', 2],
    ['v2.', 'v2', 2],
    ['v02', 'v02', 2],
    ['v0', 'v0', 0],
    ['  v2', '  v2', 2],
  ])('name and version, as the server reads %j', (given, read, version) => {
    expect(cited(`doc_id=${ID} ${given}`)).toEqual([[`doc_id=${ID} ${read}`, ID, version]]);
  });

  it.each(['v2nd', 'v2é', 'v1234567890', 'v-2', 'v'])('its name only, where the version is %j', (version) => {
    expect(cited(`doc_id=${ID} ${version}`)).toEqual([[`doc_id=${ID}`, ID, null]]);
  });

  it.each([ID.replaceAll('-', ''), ID.replaceAll('-', '').toUpperCase(), `{${ID}}`, `urn:uuid:${ID}`])(
    'an id spelled %j',
    (id) => {
      expect(cited(`See doc_id=${id} v2.`)).toEqual([[`doc_id=${id} v2`, ID, 2]]);
    },
  );

  it('each of several documents', () => {
    expect(cited(`doc_id=${ID} v1, doc_id=${OTHER} v2`)).toEqual([
      [`doc_id=${ID} v1`, ID, 1],
      [`doc_id=${OTHER} v2`, OTHER, 2],
    ]);
  });
});

/** The text and the target of each link in a rendered text. */
async function links(text: string, isDocument = false): Promise<string[][]> {
  const html = await renderMarkdown(text, isDocument);
  return Array.from(html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g), ([, href = '', words = '']) => [
    words.replace(/<svg.*?<\/svg>|<[^>]*>/g, ''),
    href.replaceAll('&amp;', '&'),
  ]);
}

describe('a citation becomes a link', () => {
  const V2 = `?doc=${ID}&v=2`;

  it.each([
    ['in a paragraph', `As doc_id=${ID} v2 says.`, `doc_id=${ID} v2`, V2],
    ['in a list', `- see doc_id=${ID} (v2)`, `doc_id=${ID} (v2)`, V2],
    ['in a table', `| a |\n|---|\n| doc_id=${ID} v2 |`, `doc_id=${ID} v2`, V2],
    ['in bold', `**doc_id=${ID} v2**`, `doc_id=${ID} v2`, V2],
    ['in a heading', `# doc_id=${ID} v2`, `doc_id=${ID} v2`, V2],
    ['in a quote', `> doc_id=${ID} v2`, `doc_id=${ID} v2`, V2],
    ['in code', `\`doc_id=${ID} v2\``, `doc_id=${ID} v2`, V2],
    ['within longer code', `\`aw docs get # doc_id=${ID} v2\``, `doc_id=${ID} v2`, V2],
    ['as an id in code', `\`${ID}\``, ID, `?doc=${ID}`],
    ['as an id in code followed by its version', `\`${ID}\` v2 here`, `${ID} v2`, V2],
    ['as an id in code with its version in brackets', `\`${ID}\` (v2).`, `${ID} (v2)`, V2],
    ['by name in a block of code', `\`\`\`rust\n// doc_id=${ID} v2\n\`\`\``, `doc_id=${ID} v2`, V2],
  ])('%s', async (_, text, words, href) => {
    expect(await links(text)).toEqual([[words, href]]);
    expect(await links(text, true)).toEqual([[words, href]]);
  });

  it.each([
    ['an id in a sentence', `Debate ${ID} is closed.`],
    ['an id in longer code', `\`aw debate wait --debate-id ${ID}\``],
    ['an id in a block of code', `\`\`\`\n${ID} v2\n\`\`\``],
  ])('%s stays as it is', async (_, text) => expect(await links(text)).toEqual([]));

  it('but not inside another link', async () => {
    const text = `[doc_id=${ID} v2](https://example.com)`;
    expect(await links(text)).toEqual([[`doc_id=${ID} v2`, 'https://example.com']]);
    const html = await renderMarkdown(text);
    expect(html.match(/<a /g)).toHaveLength(1);
  });

  it('without losing text', async () => {
    const text = `One doc_id=${ID} v2, two \`${OTHER}\` v3 and three.`;
    const html = await renderMarkdown(text);
    expect(html.replace(/<[^>]*>/g, '')).toBe(`One doc_id=${ID} v2, two ${OTHER} v3 and three.`);
  });

  it('with nothing but an id and a version in it', async () => {
    const html = await renderMarkdown(`doc_id=${ID}"onclick="x v2 <a data-document="${ID}">x</a>`);
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).not.toContain('onclick="x');
  });
});

it.each(['Decided in %, as', '%', '`%`', '```\n%\n```', '> - %'])(
  'links an argument of any debate in %j',
  async (text) => {
    const words = `debate=${ID} #5`;
    expect(await links(text.replace('%', words))).toEqual([[words, `/d/${ID}#5`]]);
    expect(await links(text.replace('%', words), true)).toEqual([[words, `/d/${ID}#5`]]);
    for (const other of [`xdebate=${ID} #5`, `debate=${ID} #0`, `debate=${ID} #5a`, `debate=${ID}`]) {
      expect(await links(text.replace('%', other))).toEqual([]);
    }
  },
);

it('renumbers the headings of a document without a gap', async () => {
  const html = await renderMarkdown('### A\n\n##### B\n\n### C\n\n#\n\n# D', true);
  const levels = Array.from(
    html.matchAll(/<h(\d)[^>]*>(.*?)<\/h\d>/g),
    ([, level, text]) => `${level} ${text}`,
  );
  expect(levels).toEqual(['3 A', '4 B', '3 C', '3 D']);
});
