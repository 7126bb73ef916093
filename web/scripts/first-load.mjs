// Prints the size of the JavaScript that a first visit loads, and fails if it is above the limit.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const LIMIT = 150_000;
const out = new URL('../out/', import.meta.url);

const html = await readFile(new URL('index.html', out), 'utf8');
// Browsers that support modules do not load `nomodule` scripts.
const tags = html.match(/<script[^>]*src="[^"]+"[^>]*>/g).filter((tag) => !/\bnomodule\b/i.test(tag));
const paths = new Set(tags.map((tag) => /src="\/?([^"?]+)/.exec(tag)[1]));

let total = 0;
for (const path of paths) {
  const size = gzipSync(await readFile(new URL(path, out)), { level: 9 }).length;
  total += size;
  process.stdout.write(`${String(size).padStart(8)}  ${path}\n`);
}
process.stdout.write(`${String(total).padStart(8)}  first load, gzip (limit ${LIMIT})\n`);
if (total > LIMIT) process.exit(1);
