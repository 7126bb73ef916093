import { describe, expect, it } from 'vitest';
import { blocksOf, compareBlocks } from './blocks';

describe('blocks of markdown', () => {
  it('are paragraphs, headings and list items, with their lines', () => {
    const content = '# Plan\nIntro,\ntwo lines.\n\n- one\n  more\n\n  still one\n- two\n\nEnd.\n';
    expect(blocksOf(content)).toEqual([
      { text: '# Plan', from: 1, to: 1 },
      { text: 'Intro,\ntwo lines.', from: 2, to: 3 },
      { text: '- one\n  more\n\n  still one', from: 5, to: 8 },
      { text: '- two', from: 9, to: 9 },
      { text: 'End.', from: 11, to: 11 },
    ]);
  });

  it('are not split within code', () => {
    const code = '```sh\n# no heading\n\n- no item\n```';
    expect(blocksOf(`Run:\n\n${code}\n\nThen.`).map(({ text }) => text)).toEqual(['Run:', code, 'Then.']);
  });
});

describe('changes between blocks', () => {
  it('tell what stayed, went and came, and the words that changed', () => {
    const comparison = compareBlocks(
      'Keep.\n\nWait for 60 seconds.\n\nGone.',
      'Keep.\n\nWait for 30 seconds.',
    );
    if (comparison.kind !== 'blocks') throw new Error(comparison.kind);
    expect(comparison.changes.map(({ kind, block }) => [kind, block.text, block.from])).toEqual([
      ['same', 'Keep.', 1],
      ['removed', 'Wait for 60 seconds.', 3],
      ['added', 'Wait for 30 seconds.', 3],
      ['removed', 'Gone.', 5],
    ]);
    expect(comparison.changes[1]?.words).toEqual([[9, 11]]);
    expect(comparison.changes[2]?.words).toEqual([[9, 11]]);
  });

  it('have the lines of the new version', () => {
    const comparison = compareBlocks('a\n\nb', 'new\n\na\n\nb');
    if (comparison.kind !== 'blocks') throw new Error(comparison.kind);
    expect(comparison.changes.map(({ block }) => block.from)).toEqual([1, 3, 5]);
  });
});
