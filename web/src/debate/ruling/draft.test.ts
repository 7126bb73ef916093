import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countChanges, createDraft, EMPTY, forAppeal, isWritten, keepDraft, readDraft } from './draft';

const draft = {
  text: 'x',
  choice: 1,
  appealId: 'a',
  offered: {},
  comments: [{ key: 'c1', documentId: 'd', version: 3, from: 12, to: 18, quote: 'q', text: 'c' }],
  decisions: { I1: { change: 'uphold' as const, note: 'n' } },
  raised: [{ key: 'new-1', severity: 'low' as const, title: 't', location: '' }],
};

const items = new Map<string, string>();
beforeEach(() => {
  items.clear();
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function readStored(text: string | null) {
  if (text === null) items.clear();
  else items.set('aweave.draft.d', text);
  return readDraft('d');
}

describe('a draft', () => {
  it('is read from storage, and empty if the stored value is malformed', () => {
    expect(readStored(JSON.stringify(draft))).toEqual(draft);
    for (const malformed of [null, '', '{', 'null', '[]']) expect(readStored(malformed)).toEqual(EMPTY);
  });

  it('keeps its text and decisions, not its choice, under another appeal', () => {
    expect(forAppeal(draft, 'a')).toBe(draft);
    expect(forAppeal(draft, 'b')).toEqual({ ...draft, choice: null, appealId: 'b' });
  });

  it('loses under another appeal what the option of the former one decided, and its words', () => {
    const offered = { I1: { change: 'defer', note: 'not yet' }, I2: { change: 'defer', note: 'not yet' } };
    const decisions = { ...offered, I2: { change: 'uphold', note: 'mine' } };
    expect(forAppeal({ ...draft, decisions, offered }, 'b')).toEqual({
      ...draft,
      choice: null,
      appealId: 'b',
      decisions: { I2: { change: 'uphold', note: 'mine' } },
    });
  });

  it('that was stored before there were issues is read', () => {
    const { decisions: _, raised: __, comments: ___, ...older } = draft;
    expect(readStored(JSON.stringify(older))).toEqual({ ...older, decisions: {}, raised: [], comments: [] });
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

describe('a draft whose ruling was refused', () => {
  const removedElsewhere = () => {
    items.clear();
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'aweave.draft.d', newValue: null }));
  };

  it('is stored again when the tab whose ruling was accepted removes its own just after', () => {
    const stored = createDraft('d');
    stored.set(draft);
    items.clear();
    keepDraft('d');
    expect(readDraft('d')).toEqual(draft);
    removedElsewhere();
    expect(readDraft('d')).toEqual(draft);
    // Who removes it later means it.
    vi.advanceTimersByTime(10_000);
    removedElsewhere();
    expect(items.size).toBe(0);
  });

  it('stays away once it was discarded', () => {
    const stored = createDraft('d');
    stored.set(draft);
    keepDraft('d');
    stored.set(EMPTY);
    removedElsewhere();
    expect(items.size).toBe(0);
  });
});
