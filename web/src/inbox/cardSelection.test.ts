import { describe, expect, it } from 'vitest';
import { neighbour, replacement } from './cardSelection';

const IDS = ['a', 'b', 'c'];

describe('the active card', () => {
  it('is the first until another is chosen', () => {
    expect(replacement(IDS, [], null)).toBe('a');
    expect(replacement(IDS, IDS, 'b')).toBe('b');
    expect(replacement([], [], null)).toBeNull();
    expect(replacement(IDS, [], 'elsewhere')).toBe('a');
  });

  it('is followed by the next one when its debate was ruled on, or by the last', () => {
    expect(replacement(['a', 'c'], IDS, 'b')).toBe('c');
    expect(replacement(['a', 'b'], IDS, 'c')).toBe('b');
    expect(replacement(['a'], IDS, 'b')).toBe('a');
    expect(replacement([], IDS, 'b')).toBeNull();
  });

  it('moves to its neighbours and stays at both ends', () => {
    expect(neighbour(IDS, 'a', 1)).toBe('b');
    expect(neighbour(IDS, 'b', -1)).toBe('a');
    expect(neighbour(IDS, 'c', 1)).toBeNull();
    expect(neighbour(IDS, 'a', -1)).toBeNull();
    expect(neighbour(IDS, null, 1)).toBe('a');
    expect(neighbour([], null, 1)).toBeNull();
  });
});
