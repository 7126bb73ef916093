// Writes the types of REST and of the WebSocket from their contracts. `--check` fails if the files differ instead.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { parse } from 'yaml';

const fromRoot = (path) => new URL(`../../${path}`, import.meta.url);
const fromWeb = (path) => new URL(`../${path}`, import.meta.url);

/** AsyncAPI's schemas are JSON Schema, as those of OpenAPI 3.1 are: each message becomes a schema with its payload. */
async function webSocketSchemas() {
  const { info, components } = parse(await readFile(fromRoot('asyncapi.yaml'), 'utf8'));
  const messages = Object.entries(components.messages).map(([name, message]) => [name, message.payload]);
  return {
    openapi: '3.1.0',
    info,
    paths: {},
    components: { schemas: { ...components.schemas, ...Object.fromEntries(messages) } },
  };
}

const generated = {
  'src/api/schema.ts': await openapiTS(fromRoot('openapi.json'), { enumValues: true }),
  'src/websocket/schema.ts': await openapiTS(await webSocketSchemas(), { defaultNonNullable: false }),
};

for (const [path, types] of Object.entries(generated)) {
  const text = COMMENT_HEADER + astToString(types);
  if (!process.argv.includes('--check')) await writeFile(fromWeb(path), text);
  else if (text.trim() !== (await readFile(fromWeb(path), 'utf8')).trim()) {
    process.stderr.write(`${path} does not match its contract: run \`npm run types\`.\n`);
    process.exitCode = 1;
  }
}
