// The types in src/api/schema.ts must be what the contract generates today.
import { readFile } from 'node:fs/promises';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const contract = new URL('../../openapi.json', import.meta.url);
const types = new URL('../src/api/schema.ts', import.meta.url);

const wanted = COMMENT_HEADER + astToString(await openapiTS(contract));
if (wanted.trim() !== (await readFile(types, 'utf8')).trim()) {
  process.stderr.write('src/api/schema.ts is not what ../openapi.json generates: run `npm run api`.\n');
  process.exit(1);
}
