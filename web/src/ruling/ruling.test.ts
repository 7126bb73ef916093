import { describe, expect, it, vi } from 'vitest';
import { optionLabel } from '@/debate/optionLabel';
import type { View } from '@/debate/view';
import { fromContext } from '@/debate/view';
import { argument, debate } from '@/testing/samples';
import { EMPTY, forAppeal, parseDraft } from './draft';
import { HOLD_MS, Hold } from './hold';
import { choicesOf, fillOf, refill } from './options';
import { questionOf } from './question';

const appeal = (options: { label: string; detail?: string; free_form?: boolean }[]) =>
  argument({ seq: 2, type: 'APPEAL', options });

describe('the choices of an appeal', () => {
  it('always end with something else', () => {
    const free = choicesOf(appeal([{ label: 'A' }, { label: 'Other', free_form: true }]), 'Something else');
    expect(free.map(({ index }) => index)).toEqual([0, 1]);
    const bare = choicesOf(appeal([{ label: 'A' }]), 'Something else');
    expect(bare.at(-1)).toEqual({ index: null, option: { label: 'Something else', free_form: true } });
  });

  it('are none where the appeal has none', () => {
    expect(choicesOf(argument({ type: 'APPEAL' }), 'x')).toEqual([]);
    expect(choicesOf(null, 'x')).toEqual([]);
  });
});

it('says something else in the person’s language, and leaves the agents’ words alone', () => {
  expect(optionLabel({ label: 'Something else', free_form: true }, 'Khác')).toBe('Khác');
  expect(optionLabel({ label: 'Something else' }, 'Khác')).toBe('Something else');
  expect(optionLabel({ label: 'Own words', free_form: true }, 'Khác')).toBe('Own words');
});

describe('filling the ruling', () => {
  const a = fillOf({ label: 'A', detail: 'more' });
  const b = fillOf({ label: 'B' });

  it('writes the option into an empty box', () => {
    expect(refill('', '', a)).toBe('**A**\n\nmore\n');
    expect(fillOf({ label: 'Other', free_form: true })).toBe('');
  });

  it('swaps one option for another', () => {
    expect(refill(a, a, b)).toBe(b);
    expect(refill(a, a, '')).toBe('');
  });

  it('keeps what the person wrote, there and back', () => {
    const own = `${a}\nBut slowly.`;
    const swapped = refill(own, a, b);
    expect(swapped).toBe(`${b}\nBut slowly.`);
    expect(refill(swapped, b, a)).toBe(own);
    expect(refill(swapped, b, '')).toBe('But slowly.');
    expect(refill('My words', '', a)).toBe(`${a}\nMy words`);
    expect(refill('An edited fill', a, '')).toBe('An edited fill');
  });
});

describe('a draft', () => {
  it('survives storage, and whatever else is found there', () => {
    const draft = { text: 'x', fill: 'f', choice: 1, appealId: 'a' };
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
    for (const broken of [null, '', '{', 'null', '[]', '{"text":1}'])
      expect(parseDraft(broken)).toEqual(EMPTY);
  });

  it('keeps its words, not its choice, under another appeal', () => {
    const draft = { text: 'x', fill: 'f', choice: 1, appealId: 'a' };
    expect(forAppeal(draft, 'a')).toBe(draft);
    expect(forAppeal(draft, 'b')).toEqual({ text: 'x', fill: '', choice: null, appealId: 'b' });
  });
});

describe('the question', () => {
  const view = (state: string, type: string): View => ({
    ...fromContext({
      debate: debate({ state }),
      motion: argument(),
      arguments: [argument({ seq: 2, type })],
    }),
  });

  it('follows from the newest argument', () => {
    expect(questionOf(view('AWAITING_ARBITRATOR', 'APPEAL')).kind).toBe('appeal');
    expect(questionOf(view('AWAITING_ARBITRATOR', 'RESOLUTION')).kind).toBe('resolution');
    expect(questionOf(view('INTERVENTION_PENDING', 'INTERVENTION')).kind).toBe('intervention');
    expect(questionOf(view('INTERVENTION_PENDING', 'APPEAL')).kind).toBe('late-appeal');
    expect(questionOf(view('INTERVENTION_PENDING', 'CLAIM')).kind).toBe('intervention');
  });
});

describe('a hold', () => {
  function setUp() {
    vi.useFakeTimers();
    const onHeld = vi.fn();
    return { hold: new Hold({ onHeld, onChange: () => undefined }), onHeld };
  }

  it('is done after a second, once', () => {
    const { hold, onHeld } = setUp();
    hold.press(0);
    hold.press(10);
    vi.advanceTimersByTime(HOLD_MS * 3);
    expect(hold.release(HOLD_MS * 3)).toBe('nothing');
    expect(onHeld).toHaveBeenCalledOnce();
  });

  it('is nothing when let go or cancelled before', () => {
    const { hold, onHeld } = setUp();
    hold.press(0);
    expect(hold.release(HOLD_MS - 1)).toBe('short');
    hold.press(2000);
    vi.advanceTimersByTime(HOLD_MS - 1);
    hold.cancel();
    vi.advanceTimersByTime(HOLD_MS);
    expect(onHeld).not.toHaveBeenCalled();
  });

  it('counts as the hand held it, though the timer is late', () => {
    const { hold, onHeld } = setUp();
    hold.press(0);
    expect(hold.release(HOLD_MS)).toBe('nothing');
    vi.advanceTimersByTime(HOLD_MS * 2);
    expect(onHeld).toHaveBeenCalledOnce();
  });

  it('takes a press too short for a hand as a click', () => {
    const { hold } = setUp();
    hold.press(0);
    expect(hold.release(5)).toBe('synthetic');
  });
});
