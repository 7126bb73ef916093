import { describe, expect, it } from 'vitest';
import { blocksOf, compareBlocks } from './blocks';

describe('blocks of markdown', () => {
  it('are paragraphs, headings and list items, with their lines', () => {
    const content = '# Plan\nIntro,\ntwo lines.\n\n- one\n  more\n\n  still one\n- two\n\nEnd.\n';
    expect(blocksOf(content).map(({ text, from, to }) => [text, from, to])).toEqual([
      ['# Plan', 1, 1],
      ['Intro,\ntwo lines.', 2, 3],
      ['- one\n  more\n\n  still one', 5, 8],
      ['- two', 9, 9],
      ['End.', 11, 11],
    ]);
  });

  it('are not split within code', () => {
    const code = '```sh\n# no heading\n\n- no item\n```';
    expect(blocksOf(`Run:\n\n${code}\n\nThen.`).map(({ text }) => text)).toEqual(['Run:', code, 'Then.']);
  });
});

function changed(before: string, after: string) {
  const comparison = compareBlocks(before, after);
  if (comparison.kind !== 'blocks') throw new Error(comparison.kind);
  return comparison;
}

/** The parts of the source that are marked as changed: of both sides where lines are shown. */
function marked(before: string, after: string): string[] {
  return changed(before, after).changes.flatMap((change) => {
    if (change.kind !== 'rows') return [];
    const lines = change.rows.flatMap(({ same, left, right }) => (same ? [] : [left, right]));
    return lines.flatMap((line) =>
      (line?.parts ?? []).filter((part) => part.changed).map(({ text }) => text),
    );
  });
}

describe('changes between blocks', () => {
  it('tell what stayed, went and came, and the words that changed', () => {
    const [before, after] = ['Keep.\n\nWait for 60 seconds.\n\nGone.', 'Keep.\n\nWait for 30 seconds.'];
    const { changes, removed, added } = changed(before, after);
    expect(changes).toEqual([
      { kind: 'same', block: { from: 1, to: 1 } },
      { kind: 'removed', block: { from: 3, to: 3 } },
      { kind: 'added', block: { from: 3, to: 3 } },
      { kind: 'removed', block: { from: 5, to: 5 } },
    ]);
    expect(removed.map(([from, to]) => before.slice(from, to))).toEqual(['60']);
    expect(added.map(([from, to]) => after.slice(from, to))).toEqual(['30']);
  });

  it('have the lines of the new version', () => {
    const { changes } = changed('a\n\nb', 'new\n\na\n\nb');
    expect(changes.flatMap((change) => (change.kind === 'rows' ? [] : change.block.from))).toEqual([1, 3, 5]);
  });

  it('say which block was rewritten, of which all is marked', () => {
    const [before, after] = ['Two persons agree, a second operator in the same room.', 'Any member decides.'];
    const { changes, removed, added } = changed(`Keep.\n\n${before}`, `Keep.\n\n${after}`);
    expect(changes.slice(1)).toEqual([
      { kind: 'removed', block: { from: 3, to: 3 } },
      { kind: 'added', block: { from: 3, to: 3 }, rewritten: true },
    ]);
    expect([removed, added]).toEqual([[[7, 7 + before.length]], [[7, 7 + after.length]]]);
    // What is only new, or too long to be compared by words, is not called so.
    const kinds = (from: string, to: string) =>
      changed(from, to).changes.filter((change) => 'rewritten' in change);
    expect(kinds('Keep.', `Keep.\n\n${after}`)).toEqual([]);
    expect(kinds('a '.repeat(3_000), 'b '.repeat(3_000))).toEqual([]);
  });

  it('mark only what was added to a sentence, or left out, however long that is', () => {
    const [short, long] = [
      'Writes go to both from the first minute.',
      'Writes go to both from the first minute, with the number of the version that the database gave to the row: a late one that is older than what the index has is dropped there.',
    ];
    for (const [before, after] of [
      [short, long],
      [long, short],
    ] as const) {
      const { changes, removed, added } = changed(`Keep.\n\n${before}`, `Keep.\n\n${after}`);
      expect(changes.filter((change) => 'rewritten' in change)).toEqual([]);
      const [of, other] = after === long ? [added, removed] : [removed, added];
      expect(of.map(([from, to]) => `Keep.\n\n${long}`.slice(from, to)).join('')).toContain(
        'with the number',
      );
      expect(of.flat()[0]).toBeGreaterThan(40);
      expect(other.length).toBeLessThan(2);
    }
  });

  it('know which lines are those of a table', () => {
    const table = (cell: string) => `| a | b |\n|---|---|\n| 3 | ${cell} |\n`;
    const tables = (before: string, after: string) =>
      changed(before, after).changes.map((change) => change.kind === 'rows' && change.table === true);
    expect(tables(table('x'), table('y'))).toEqual([true]);
    expect(tables('```\nx\n```', '```\ny\n```')).toEqual([false]);
  });

  it('show what changed within code and within a table by lines', () => {
    const code = (value: number) => `Run:\n\n\`\`\`py\n${'line = 1\n'.repeat(20)}limit = ${value}\n\`\`\`\n`;
    expect(marked(code(30), code(31))).toEqual(['30', '31']);
    const table = (cell: string) => `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(50)}| 3 | ${cell} |\n`;
    expect(marked(table('x'), table('y'))).toEqual(['x', 'y']);
    const [row] = changed(`First.\n\n${code(30)}`, `First.\n\n${code(31)}`).changes.flatMap((change) =>
      change.kind === 'rows' ? change.rows.filter(({ same }) => !same) : [],
    );
    expect([row?.left?.number, row?.right?.number]).toEqual([26, 26]);
  });

  it('show what changed where rendered text looks the same', () => {
    expect(marked('See [the notes](https://a.example/).', 'See [the notes](https://b.example/).')).toEqual([
      'a',
      'b',
    ]);
    expect(marked('[x]: https://a.example/', '[x]: https://b.example/')).toEqual(['a', 'b']);
    const { changes } = changed('Text.', 'Text.\n\n[x]: https://b.example/');
    expect(changes.map(({ kind }) => kind)).toEqual(['same', 'rows']);
  });
});
