import { describe, expect, it } from 'vitest';
import { EMPTY, forAppeal, parseDraft } from './draft';

const draft = { text: 'x', fill: 'f', choice: 1, appealId: 'a' };

describe('a draft', () => {
  it('is read from storage, and empty if the stored value is malformed', () => {
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
    for (const malformed of [null, '', '{', 'null', '[]', '{"text":1}'])
      expect(parseDraft(malformed)).toEqual(EMPTY);
  });

  it('keeps its text, not its choice, under another appeal', () => {
    expect(forAppeal(draft, 'a')).toBe(draft);
    expect(forAppeal(draft, 'b')).toEqual({ text: 'x', fill: '', choice: null, appealId: 'b' });
  });
});
