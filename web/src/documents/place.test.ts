import { describe, expect, it } from 'vitest';
import { documentPlace, placeIn, searchOf } from './place';

describe('the address of a document', () => {
  it.each([
    ['', null],
    ['?docs', { kind: 'list' }],
    ['?doc=abc', documentPlace('abc')],
    ['?doc=abc&v=2', documentPlace('abc', 2)],
    ['?doc=abc&v=3&view=changes&from=1', { ...documentPlace('abc', 3), view: 'changes', from: 1 }],
  ] as const)('%s says what it says', (search, place) => {
    expect(placeIn(search)).toEqual(place);
    expect(searchOf(place)).toBe(search);
  });

  it('is read in good will', () => {
    expect(placeIn('?doc=%20ABC&v=0&view=nothing&from=-1')).toEqual(documentPlace('abc'));
    expect(placeIn('?v=2')).toBeNull();
  });
});
