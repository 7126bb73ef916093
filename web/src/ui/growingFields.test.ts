import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SRC = `${import.meta.dirname}/..`;
const FALLBACK = /@supports not \(field-sizing: content\) \{\s*textarea\.field-sizing-content \{([^}]*)\}/;

it('a field that grows with its text has lines and a handle in browsers that know no such fields', () => {
  const [, rules = ''] = FALLBACK.exec(readFileSync(`${SRC}/pages/globals.css`, 'utf8')) ?? [];
  expect(rules).toMatch(/min-height: calc\(3lh/);
  expect(rules).toContain('resize: vertical');
});

it('no field is too small for its text without growing or a handle', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'),
  );
  const fields = files.flatMap((path) =>
    Array.from(
      readFileSync(`${SRC}/${path}`, 'utf8').matchAll(/<textarea\s[\s\S]*?\/>/g),
      ([field]) => field,
    ),
  );
  expect(fields.length).toBeGreaterThan(4);
  const fixed = fields.filter((field) => !/field-sizing-content|resize-y|\{\.\.\.field\}/.test(field));
  expect(fixed).toEqual([]);
});
