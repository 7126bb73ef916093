// Puts `early-requests.inline.js` into the head of the exported page, with the names of the chunks of each screen. The
// server allows the inline scripts of the page by their hashes.
import { readdir, readFile, writeFile } from 'node:fs/promises';

const next = new URL('../out/_next/', import.meta.url);
const page = new URL('../out/index.html', import.meta.url);

/** A text that only the code of this screen has. */
const MARKS = {
  inbox: 'data-inbox',
  debate: '(min-width: 118rem)',
  thread: 'thread outline-offset-',
  record: 'record mx-auto',
  plan: 'citedPlan',
};

const names = (await readdir(new URL('static/chunks/', next))).filter((name) => name.endsWith('.js'));
const files = await Promise.all(
  names.map(async (name) => [
    `static/chunks/${name}`,
    await readFile(new URL(`static/chunks/${name}`, next), 'utf8'),
  ]),
);
/** Which chunks each dynamic import loads. */
const imports = files.flatMap(([, code]) =>
  [...code.matchAll(/Promise\.all\((\["static\/chunks\/[^\]]+\])\.map/g)].map(([, list]) => JSON.parse(list)),
);

function chunksOf(screen, mark) {
  const [file, ...others] = files.filter(([, code]) => code.includes(mark)).map(([name]) => name);
  const lists = imports.filter((list) => list.includes(file));
  if (lists.length !== 1 || others.length > 0)
    throw new Error(`The chunks of the screen ${screen} are not clear.`);
  return lists[0];
}

const chunks = Object.fromEntries(Object.entries(MARKS).map(([name, mark]) => [name, chunksOf(name, mark)]));
const source = await readFile(new URL('early-requests.inline.js', import.meta.url), 'utf8');
const script = source.replace(/^\s*\/\/.*\n/gm, '').replace('__CHUNKS__', () => JSON.stringify(chunks));
const html = await readFile(page, 'utf8');
const CHARSET = '<meta charSet="utf-8" data-next-head=""/>';
if (!html.includes(CHARSET)) throw new Error('The page has no place for the early requests.');
// Before the stylesheet, for which an inline script would wait.
await writeFile(
  page,
  html.replace(CHARSET, () => `${CHARSET}<script>${script.trim()}</script>`),
);
