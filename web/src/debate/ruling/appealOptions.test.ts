import { describe, expect, it } from 'vitest';
import { argument } from '@/testing/samples';
import { choicesFor, choiceText, replaceChoiceText } from './appealOptions';

const appeal = (options: { label: string; detail?: string; free_form?: boolean }[]) =>
  argument({ seq: 2, type: 'APPEAL', options });

describe('the choices of an appeal', () => {
  it('always include "something else"', () => {
    const withFreeForm = appeal([{ label: 'A' }, { label: 'Other', free_form: true }]);
    expect(choicesFor(withFreeForm, 'Something else').map(({ index }) => index)).toEqual([0, 1]);
    const without = choicesFor(appeal([{ label: 'A' }]), 'Something else');
    expect(without.at(-1)).toEqual({ index: null, option: { label: 'Something else', free_form: true } });
  });

  it('are empty if the appeal has no options', () => {
    expect(choicesFor(argument({ type: 'APPEAL' }), 'x')).toEqual([]);
    expect(choicesFor(null, 'x')).toEqual([]);
  });
});

describe('the text of a choice', () => {
  const a = choiceText({ label: 'A', detail: 'more' });
  const b = choiceText({ label: 'B' });

  it('fills an empty box', () => {
    expect(replaceChoiceText('', '', a)).toBe('**A**\n\nmore\n');
    expect(choiceText({ label: 'Other', free_form: true })).toBe('');
  });

  it('replaces the text of another choice', () => {
    expect(replaceChoiceText(a, a, b)).toBe(b);
    expect(replaceChoiceText(a, a, '')).toBe('');
  });

  it('leaves what the person wrote', () => {
    const own = `${a}\nBut slowly.`;
    const replaced = replaceChoiceText(own, a, b);
    expect(replaced).toBe(`${b}\nBut slowly.`);
    expect(replaceChoiceText(replaced, b, a)).toBe(own);
    expect(replaceChoiceText(replaced, b, '')).toBe('But slowly.');
    expect(replaceChoiceText('My words', '', a)).toBe(`${a}\nMy words`);
    expect(replaceChoiceText('An edited choice', a, '')).toBe('An edited choice');
  });
});
