import { expect, it } from 'vitest';
import { byDebate, excerpt, issueLine, withoutIds } from './TextHits';

it('shows a citation in an excerpt without the id of the document', () => {
  const id = '4e953f4c-f7c9-4cf2-b66b-a4e6e7834941';
  expect(withoutIds(`see doc_id=${id} v1 The price, ${id} v12, and doc_id=${id}.`, 'document')).toBe(
    'see document v1 The price, document v12, and document.',
  );
  // One that an excerpt cuts is shown as it is.
  expect(withoutIds('see doc_id=4e953f4c-f7c9', 'document')).toBe('see doc_id=4e953f4c-f7c9');
});

it('shows an excerpt without the marks of emphasis and code', () => {
  expect(excerpt('**I1** and `fsync` are *open*', 'fsync', 'document')).toBe('I1 and fsync are open');
});

it('tells the parts of an issue apart', () => {
  expect(issueLine('A price may be 60 s old\nplan 1\nSee the cache.')).toBe(
    'A price may be 60 s old · plan 1 · See the cache.',
  );
  expect(issueLine('\nplan 1')).toBe('plan 1');
});

it('keeps the hits of a debate together, where its newest one is', () => {
  const hits = ['a', 'b', 'a', 'c', 'b'].map((debate_id, seq) => ({
    kind: 'argument',
    debate_id,
    debate_title: '',
    debate_state: 'CLOSED',
    seq,
    issue: null,
    text: '',
    created_at: '',
  }));
  expect(byDebate(hits).map((found) => found.map(({ seq }) => seq))).toEqual([[0, 2], [1, 4], [3]]);
});
