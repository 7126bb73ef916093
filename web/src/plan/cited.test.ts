import { describe, expect, it } from 'vitest';
import { argument } from '@/testing/samples';
import { citedVersions, newestCitedOf, newestCiting, newestRuling, versionAt } from './cited';

const cite = (document_id: string, version: number) => ({ document_id, version, sha256: '' });

describe('the plan', () => {
  it('is what the proposer cited last', () => {
    const args = [
      argument({ seq: 1, citations: [cite('a', 1)] }),
      argument({ seq: 2, citations: [cite('b', 7)] }),
      argument({ seq: 3, citations: [cite('a', 2)] }),
      argument({ seq: 5 }),
    ];
    expect(newestCiting(args)?.seq).toBe(3);
    expect(newestCiting([argument({ seq: 2, citations: [cite('b', 7)] })])).toBeNull();
    expect(newestCiting([argument({ seq: 1, citations: [] })])).toBeNull();
  });

  it('is the newest version of each document that an argument cites, in the order of the last mentions', () => {
    expect(citedVersions({ citations: [cite('a', 2), cite('b', 1), cite('a', 1)] })).toEqual([
      { documentId: 'b', version: 1 },
      { documentId: 'a', version: 2 },
    ]);
    expect(citedVersions({})).toEqual([]);
  });

  it('is the newest version that was cited, also after an older one was spoken of again', () => {
    const args = [
      argument({ seq: 1, citations: [cite('a', 1)] }),
      argument({ seq: 3, citations: [cite('a', 3), cite('b', 9)] }),
      argument({ seq: 4, citations: [cite('a', 4)] }),
      argument({ seq: 5, citations: [cite('a', 1)] }),
    ];
    expect(newestCitedOf('a', args)).toBe(3);
    expect(newestCitedOf('c', args)).toBeNull();
  });

  it('changed since the version that there was at the last ruling', () => {
    const versions = [
      { version: 3, created_at: '2030-01-03T00:00:00.5Z' },
      { version: 2, created_at: '2030-01-02T00:00:00Z' },
    ];
    expect(versionAt(versions, '2030-01-03T00:00:00Z')).toBe(2);
    expect(versionAt(versions, '2030-01-03T00:00:00.5Z')).toBe(3);
    expect(versionAt(versions, '2030-01-01T00:00:00Z')).toBeNull();
    expect(newestRuling([argument({ seq: 4, type: 'RULING' }), argument({ seq: 5 })])?.seq).toBe(4);
  });
});
