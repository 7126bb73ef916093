import { describe, expect, it } from 'vitest';
import type { DebateRecord } from '@/api/types';
import { argument, debate, issue } from '@/testing/samples';
import { duration } from './duration';
import { recordMarkdown } from './recordMarkdown';
import { recordFileName } from './save';
import { transcriptMarkdown } from './transcript';

const figures = { arguments: 1, bytes: 10, seconds: 60 };
const record: DebateRecord = {
  format: 'aweave-debate-record/1',
  debate: { ...debate({ title: 'Cache the price list', state: 'CLOSED' }), head: 'ff00' },
  outcome: 'agreed',
  decision: { seq: 6, content: 'Do it.\n\nSoon.', created_at: '2030-01-02T00:00:00Z' },
  plan: { document_id: 'd', version: 3, sha256: 'abc', summary: 'Invalidate', seen_by_opponent: false },
  rulings: [
    {
      seq: 4,
      on: 'APPEAL',
      on_seq: 3,
      options: [{ label: 'In memory' }, { label: 'In a file', detail: 'slow' }],
      chosen_option: 0,
      content: 'In memory.',
      close: false,
      issue_changes: [{ change: 'dismiss', issue: 'I2' }],
      created_at: '2030-01-01T00:00:00Z',
    },
  ],
  issues: [
    issue({ id: 'I1', status: 'resolved', title: 'Stale | old' }),
    issue({ id: 'I2', status: 'dismissed', title: 'Slow' }),
  ],
  statistics: {
    arguments: 6,
    rounds: 2,
    appeals: 1,
    interventions: 0,
    seconds: 3_725,
    by_role: { proposer: figures, opponent: figures, arbitrator: figures },
    issues: { raised: 2, resolved: 1, withdrawn: 0, dismissed: 1, left_open: 0 },
  },
  arguments: [],
  head: 'ff00',
};

describe('the record in markdown', () => {
  const text = recordMarkdown({ record, signature: null }, 'How long?');

  it('has the headings of MADR', () => {
    expect(text).toMatch(/^---\nstatus: accepted\ndate: 2030-01-02\n/);
    expect(text.match(/^## .*/gm)).toEqual([
      '## Context and Problem Statement',
      '## Considered Options',
      '## Decision Outcome',
      '## More Information',
    ]);
  });

  it('says what was decided, what was chosen from, and who did not agree', () => {
    expect(text).toContain('> Do it.\n>\n> Soon.');
    expect(text).toContain('- In memory (chosen in #4)\n- In a file: slow');
    expect(text).toContain('`doc_id=d v3`');
    expect(text).toContain('The opponent has not seen this version.');
    expect(text).toContain('- Ruling #4 on APPEAL #3 (I2 dismiss):\n  > In memory.');
    expect(text).toContain('| I1 | medium | resolved | Stale \\| old |');
    expect(text).toContain('- I2 (medium, dismissed): Slow');
    expect(text).not.toContain('- I1 (');
    expect(text).toContain('6 arguments in 2 rounds and 1 h 2 min');
    expect(text).toContain('Not signed.');
  });

  it('is a draft until the debate is closed', () => {
    const open = { ...record, outcome: 'open', decision: null, plan: null };
    const draft = recordMarkdown({ record: open, signature: null }, 'How long?');
    expect(draft).toContain('status: draft');
    expect(draft).toContain('The debate is not closed: this is a draft.');
  });
});

it('writes a transcript with what each argument answers and changes', () => {
  const motion = argument({ content: 'How long?' });
  const ruling = argument({
    seq: 2,
    type: 'RULING',
    role: 'arbitrator',
    content: '',
    close: true,
    chosen_option: 1,
    issue_changes: [{ change: 'raise', issue: 'I1', severity: 'low', title: 'A name', note: 'Say it.' }],
  });
  const text = transcriptMarkdown(debate({ title: 'Cache' }), [motion, ruling]);
  expect(text).toContain('# Cache\n');
  expect(text).toContain('## #1 MOTION by the proposer\n\n2030-01-01T00:00:00Z\n\nHow long?');
  expect(text).toContain('answers #1, chose option 2, closed the debate\n\n(no text)');
  expect(text).toContain('- I1 raise (low: A name): Say it.');
});

it('names files, and tells times in two units', () => {
  expect(recordFileName('Kế hoạch: “A”', '7c9e6679-7425', 'record.md')).toBe('kế-hoạch-a-7c9e6679-record.md');
  expect([0, 59, 60, 3_725, 90_061].map(duration)).toEqual(['0 s', '59 s', '1 min', '1 h 2 min', '1 d 1 h']);
});
