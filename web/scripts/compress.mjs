// Writes a gzip copy beside each text file of the export, if it is at least a tenth smaller. The server sends the copy.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TEXT = /\.(html|js|css|svg|txt)$/;
const out = new URL('../out/', import.meta.url).pathname;

for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXT.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const plain = await readFile(path);
  const compressed = gzipSync(plain, { level: 9 });
  if (compressed.length < plain.length * 0.9) await writeFile(`${path}.gz`, compressed);
}
