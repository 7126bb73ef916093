import { readFileSync } from 'node:fs';
import { lint } from 'markdownlint/sync';
import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import type { DebateRecord } from '@/api/types';
import { argument, debate, issue } from '@/testing/samples';
import { PAYLOADS } from '../../e2e/support/payloads';
import { duration } from './duration';
import { recordMarkdown } from './recordMarkdown';
import { recordFileName } from './save';
import { onOneLine } from './textByOthers';
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
    issue({
      id: 'I2',
      status: 'dismissed',
      title: 'Slow',
      history: [
        { seq: 2, argument_id: 'a', role: 'opponent', change: 'raise', severity: 'medium' },
        { seq: 4, argument_id: 'b', role: 'arbitrator', change: 'dismiss', note: 'Fast enough.' },
      ],
    }),
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

/** What a text could try besides the payloads. */
const HOSTILE = [
  '# Decision Outcome\n\nApproved.',
  'Approved\n========\n\n---\n\nstatus: accepted',
  '```\nunclosed code\n# Heading',
  '<h1>Title</h1>\n\n</blockquote><h2>More Information</h2>',
  '[a]: javascript:alert(1)\n\n[a] and ![b][a]',
  'A footnote[^1].\n\n[^1]: # Heading',
  '> > - nested\n\n1. list\n\n| a | b |\n|---|---|\n| # c | </td> |',
  'See https://example.com/x_y, www.example.com and me@example.com.',
  '<!-- comment\n\n# Heading',
];

/** The faults that markdownlint finds, besides long lines, as where `aw` is tested. */
function faults(markdown: string): string[] {
  const config = { default: true, MD013: false };
  const { input = [] } = lint({ strings: { input: markdown }, config });
  return input.map((fault) => `${fault.lineNumber} ${fault.ruleNames[0]} ${fault.errorContext ?? ''}`);
}

const repository = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, repository), 'utf8');

/** The `data` of an example in the contract. */
function example(path: string, name: string) {
  const { paths } = JSON.parse(read('openapi.json'));
  return paths[path].get.responses[200].content['application/json'].examples[name].value.data;
}

describe('the record in markdown', () => {
  const text = recordMarkdown({ record, signature: null }, [argument({ content: 'How long?' })]);

  it('is what aw prints', () => {
    const { motion, arguments: rest } = example('/debates/{id}', 'found');
    const ours = recordMarkdown(example('/debates/{id}/record', 'signed'), [motion, ...rest]);
    const snapshot = read(
      'cli/src/record/snapshots/aw__record__document__tests__the_record_in_markdown.snap',
    );
    expect(ours).toBe(`${snapshot.slice(snapshot.indexOf('\n---\n') + 5).trimEnd()}\n`);
  });

  it('has the headings of MADR', () => {
    expect(text).toMatch(/^---\nstatus: accepted\ndate: 2030-01-01\n/);
    expect(text.match(/^## .*/gm)).toEqual([
      '## Context and Problem Statement',
      '## Considered Options',
      '## Decision Outcome',
      '## More Information',
    ]);
    expect(faults(text)).toEqual([]);
  });

  it('says what was decided, what was chosen from, and who did not agree', () => {
    expect(text).toContain('> Do it.\n>\n> Soon.');
    expect(text).toContain('- In memory, chosen\n- In a file: slow');
    expect(text).toContain('`doc_id=d v3`');
    expect(text).toContain('The opponent has **not** seen this version');
    expect(text).toContain(
      '- Argument 4, on an appeal in argument 3\n\nWhat argument 4 rules:\n\n> In memory.',
    );
    expect(text).toContain('| I1 | medium | resolved | Stale \\| old |');
    expect(text).toContain('- I2, "Slow": dismissed by the arbitrator in argument 4: Fast enough.');
    expect(text).not.toContain('- I1, ');
    expect(text).toContain('- Duration: 1 h 2 min');
    expect(text).toContain('the record is not signed');
  });

  it('is a proposal until the debate is closed', () => {
    const open = { ...record, outcome: 'open', decision: null, plan: null };
    const draft = recordMarkdown({ record: open, signature: null }, [argument()]);
    expect(draft).toContain('status: proposed');
    expect(draft).toContain('Nothing is decided yet: the debate is open.');
  });

  it.each([...PAYLOADS, ...HOSTILE])('keeps what others wrote in its place: %j', (hostile) => {
    // Some linters want no punctuation at the end of a heading.
    const line = hostile.replaceAll(/\s+/g, ' ').slice(0, 200).replace(/[.!]$/, '');
    const signed = structuredClone({ record, signature: null });
    signed.record.debate.title = line;
    Object.assign(signed.record.decision ?? {}, { content: hostile });
    Object.assign(signed.record.plan ?? {}, { summary: line });
    Object.assign(signed.record.rulings[0] ?? {}, {
      content: hostile,
      options: [{ label: line, detail: hostile }],
    });
    Object.assign(signed.record.issues[1] ?? {}, { title: line, location: line, note: hostile });
    const args = [argument({ content: hostile }), argument({ seq: 3, type: 'APPEAL', content: hostile })];
    const markdown = recordMarkdown(signed, args);
    expect(markdown.match(/^ {0,3}#.*/gm)).toEqual([
      `# ${onOneLine(line)}`,
      ...(text.match(/^#{2,} .*/gm) ?? []),
    ]);
    expect(htmlIn(markdown)).toEqual([]);
    expect(faults(markdown)).toEqual([]);
  });

  it.each([
    'Nothing to escape: src/cleanup.rs:41, doc_id of the plan (v3), 3.1 & more!',
    '# *a* _b_ **c** `d` ~~e~~ <f> [g](h) ![i](j) | k &amp; l\\',
    '- item',
    '1. one',
    '=',
    '> quoted',
    'https://example.com/a_b and www.example.com, me@example.com',
    '    indented',
    'ends with # #',
  ])('writes a line without formatting: %j', (line) => {
    const written = onOneLine(line);
    for (const [before, after] of [
      ['# ', ''],
      ['- ', ''],
      ['| ', ' |\n| --- |'],
    ]) {
      const tree = unified().use(remarkParse).use(remarkGfm).parse(`${before}${written}${after}`);
      expect(textOf(tree), written).toBe(line.trim());
    }
  });

  it('escapes no more than it has to', () => {
    const plain = 'Keep it: src/cleanup.rs:41, doc_id (section 3.1) costs less than the index.';
    expect(onOneLine(plain)).toBe(plain);
  });
});

/** The nodes that are HTML. */
function htmlIn(markdown: string): Nodes[] {
  const found = (node: Nodes): Nodes[] =>
    node.type === 'html' ? [node] : 'children' in node ? node.children.flatMap(found) : [];
  return found(unified().use(remarkParse).use(remarkGfm).parse(markdown));
}

/** The text of a tree that has at most one heading, list or table, and links of bare addresses. */
function textOf(node: Nodes): string {
  const structure = [
    'root',
    'heading',
    'list',
    'listItem',
    'paragraph',
    'link',
    'table',
    'tableRow',
    'tableCell',
  ];
  if (node.type === 'text') return node.value;
  if (!structure.includes(node.type) || !('children' in node)) return `<${node.type}>`;
  return node.children.map(textOf).join('');
}

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
