import { describe, expect, it } from 'vitest';
import { documentRoute, parseDocumentsRoute, toSearch } from './documentRoute';

describe('the address of a document', () => {
  it.each([
    ['', null],
    ['?docs', { kind: 'list' }],
    ['?doc=abc', documentRoute('abc')],
    ['?doc=abc&v=2', documentRoute('abc', 2)],
    ['?doc=abc&v=3&view=changes&from=1', { ...documentRoute('abc', 3), view: 'changes', from: 1 }],
  ] as const)('%s is parsed and written', (search, route) => {
    expect(parseDocumentsRoute(search)).toEqual(route);
    expect(toSearch(route)).toBe(search);
  });

  it('ignores invalid parts', () => {
    expect(parseDocumentsRoute('?doc=%20ABC&v=0&view=nothing&from=-1')).toEqual(documentRoute('abc'));
    expect(parseDocumentsRoute('?v=2')).toBeNull();
  });
});
