import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The folders of `src`, lowest first: a file imports from its own folder and from those before it. */
const LAYERS = [
  'lib',
  'api',
  'i18n',
  'ui',
  'auth',
  'websocket',
  'historyCheck',
  'notifications',
  'settings',
  'markdown',
  'documents',
  'record',
  'timeline',
  'issues',
  'plan',
  'seats',
  'start',
  'debate',
  'debateList',
  'inbox',
  'workspace',
  'pages',
];

const folderOf = (path: string) => path.split('/')[0] ?? '';

it('imports from the same folder or from a lower layer', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('testing/'),
  );
  const upward = files.flatMap((path) => {
    const text = readFileSync(`${import.meta.dirname}/${path}`, 'utf8');
    return Array.from(text.matchAll(/'@\/([^']+)'/g), ([, target = '']) => target)
      .filter((target) => LAYERS.indexOf(folderOf(target)) > LAYERS.indexOf(folderOf(path)))
      .map((target) => `${path} -> ${target}`);
  });
  expect(upward).toEqual([]);
  expect([...new Set(files.map(folderOf))].filter((folder) => !LAYERS.includes(folder))).toEqual([]);
});
