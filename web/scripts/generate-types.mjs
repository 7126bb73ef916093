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

const contract = JSON.parse(await readFile(fromRoot('openapi.json'), 'utf8'));

/** The limits of what the forms of the app take, which its types do not have. */
function limits() {
  const {
    DebateCreate: debate,
    IssueChangeSubmit: change,
    RulingSubmit: ruling,
  } = contract.components.schemas;
  const values = {
    MAX_ISSUE_CHANGES: ruling.properties.issue_changes.maxItems,
    MAX_ISSUE_TITLE: change.properties.title.maxLength,
    MAX_ISSUE_LOCATION: change.properties.location.maxLength,
    MAX_ISSUE_NOTE: change.properties.note.maxLength,
    MAX_DEBATE_TITLE: debate.properties.title.maxLength,
    MAX_ROUNDS: debate.properties.max_rounds.maximum,
  };
  const lines = Object.entries(values).map(([name, value]) => {
    if (!Number.isInteger(value)) throw new Error(`the contract has no ${name}`);
    return `export const ${name} = ${value};\n`;
  });
  return lines.join('');
}

const generated = {
  'src/api/limits.ts': limits(),
  'src/api/schema.ts': astToString(await openapiTS(fromRoot('openapi.json'), { enumValues: true })),
  'src/websocket/schema.ts': astToString(
    await openapiTS(await webSocketSchemas(), { defaultNonNullable: false }),
  ),
};

for (const [path, types] of Object.entries(generated)) {
  const text = COMMENT_HEADER + types;
  if (!process.argv.includes('--check')) await writeFile(fromWeb(path), text);
  else if (text.trim() !== (await readFile(fromWeb(path), 'utf8')).trim()) {
    process.stderr.write(`${path} does not match its contract: run \`npm run types\`.\n`);
    process.exitCode = 1;
  }
}
