import { expect, it } from 'vitest';
import { parsePlanRoute, planSearch, THE_PLAN } from './planRoute';

it.each([
  ['?plan', THE_PLAN],
  ['?plan=abc&v=2', { ...THE_PLAN, id: 'abc', version: 2 }],
  [
    '?plan=abc&v=3&view=changes&from=1&form=raw',
    { id: 'abc', version: 3, view: 'changes', from: 1, form: 'raw' },
  ],
  ['?plan&view=text', { ...THE_PLAN, view: 'text' }],
] as const)('%s is parsed and written', (search, route) => {
  expect(parsePlanRoute(search)).toEqual(route);
  expect(planSearch(route)).toBe(search);
});

it('ignores invalid parts, and addresses without a plan', () => {
  expect(parsePlanRoute('?plan=%20ABC&v=0&view=no&from=x&form=')).toEqual({ ...THE_PLAN, id: 'abc' });
  expect(parsePlanRoute('?doc=abc')).toBeNull();
});
