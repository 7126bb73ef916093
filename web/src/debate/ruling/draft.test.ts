import { describe, expect, it } from 'vitest';
import { countChanges, EMPTY, forAppeal, isWritten, parseDraft } from './draft';

const draft = {
  text: 'x',
  fill: 'f',
  choice: 1,
  appealId: 'a',
  comments: [{ key: 'c1', documentId: 'd', version: 3, from: 12, to: 18, quote: 'q', text: 'c' }],
  decisions: { I1: { change: 'uphold' as const, note: 'n' } },
  raised: [{ key: 'new-1', severity: 'low' as const, title: 't', location: '' }],
};

describe('a draft', () => {
  it('is read from storage, and empty if the stored value is malformed', () => {
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
    for (const malformed of [null, '', '{', 'null', '[]', '{"text":1}'])
      expect(parseDraft(malformed)).toEqual(EMPTY);
  });

  it('keeps its text and decisions, not its choice, under another appeal', () => {
    expect(forAppeal(draft, 'a')).toBe(draft);
    expect(forAppeal(draft, 'b')).toEqual({ ...draft, fill: '', choice: null, appealId: 'b' });
  });

  it('that was stored before there were issues is read', () => {
    const { decisions: _, raised: __, comments: ___, ...older } = draft;
    expect(parseDraft(JSON.stringify(older))).toEqual({ ...older, decisions: {}, raised: [], comments: [] });
  });

  it('is written if it has a text or decides an issue', () => {
    expect(isWritten(EMPTY)).toBe(false);
    expect(isWritten({ ...EMPTY, text: ' ' })).toBe(false);
    expect(isWritten({ ...EMPTY, text: 'x' })).toBe(true);
    expect(isWritten({ ...EMPTY, decisions: draft.decisions })).toBe(true);
    expect(isWritten({ ...EMPTY, comments: draft.comments })).toBe(true);
    expect(countChanges(draft)).toBe(2);
  });
});
