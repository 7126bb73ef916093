import { describe, expect, it } from 'vitest';
import { trace } from '@/documents/changes/lineOrigins';
import { argument, issue } from '@/testing/samples';
import { answersOf, referencesTo, stepsBetween } from './answers';

const DOC = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const cite = (version: number) => [{ document_id: DOC, version, sha256: '' }];
const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

const V1 = text('a', 'b', 'c', 'd');
const V2 = text('a', 'B', 'c', 'd');
const V3 = text('x', 'a', 'B', 'c');

describe('a trace', () => {
  it('says which version brought a line, and which removed one', () => {
    const { origins, removedBy } = trace([
      { version: 1, content: V1 },
      { version: 2, content: V2 },
      { version: 3, content: V3 },
    ]) ?? { origins: [], removedBy: [] };
    expect(origins).toEqual([
      { version: 3, line: 1 },
      { version: 1, line: 1 },
      { version: 2, line: 2 },
      { version: 1, line: 3 },
    ]);
    expect(removedBy).toEqual([null, 2, null, 3]);
  });
});

describe('a changed part', () => {
  const entry = { argument_id: 'x', role: 'proposer', change: 'fix' } as const;
  const issues = [
    issue({ id: 'I1', history: [{ ...entry, seq: 3, note: `plan 3.1, doc_id=${DOC} v2` }] }),
    issue({ id: 'I2', history: [{ ...entry, seq: 5, note: `doc_id=${DOC} v3, line 1` }] }),
    issue({ id: 'I3', history: [{ ...entry, seq: 5, note: `doc_id=${DOC} v3, lines 3-4` }] }),
    issue({ id: 'I10', raised_seq: 2, location: `doc_id=${DOC} v1, line 4` }),
    issue({ id: 'I4', history: [{ ...entry, seq: 3, role: 'opponent', note: `doc_id=${DOC} v2` }] }),
  ];
  const args = [
    argument({ seq: 1, citations: cite(1) }),
    argument({ seq: 3, citations: cite(2) }),
    argument({ seq: 4, role: 'opponent', citations: cite(3) }),
    argument({ seq: 5, citations: [...cite(2), ...cite(3)] }),
  ];
  const references = referencesTo(DOC, args, issues);
  const steps = stepsBetween(references, 1, 3);
  const traced = trace(steps.map((version) => ({ version, content: [V1, V2, V3][version - 1] ?? '' }))) ?? {
    origins: [],
    removedBy: [],
  };
  const answers = (left: number | null, right: number | null) =>
    answersOf(
      {
        left: left === null ? null : { from: left, to: left },
        right: right === null ? null : { from: right, to: right },
      },
      1,
      traced,
      references,
    );

  it('compares the versions that something speaks of', () => {
    expect(steps).toEqual([1, 2, 3]);
    expect(stepsBetween(references, 2, 9)).toEqual([2, 3, 9]);
  });

  it('answers what speaks of the version that made it', () => {
    expect(answers(2, 3)).toEqual({ seqs: [3], issues: ['I1'] });
  });

  it('answers what names its lines, and not what names others', () => {
    expect(answers(null, 1)).toEqual({ seqs: [5], issues: ['I2'] });
  });

  it('does not answer what speaks of the former version, if only some lines of a block changed', () => {
    const block = { left: { from: 1, to: 2 }, right: { from: 2, to: 3 } };
    expect(answersOf(block, 1, traced, references)).toEqual({ seqs: [3], issues: ['I1'] });
  });

  it('answers the issues whose location is the lines that it removes', () => {
    expect(answers(4, null).issues).toContain('I10');
    expect(answers(2, 3).issues).not.toContain('I10');
  });
});
