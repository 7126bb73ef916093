import { describe, expect, it, vi } from 'vitest';
import { LONG_PRESS_MS, LongPress } from './longPress';

function setUp() {
  vi.useFakeTimers();
  const onComplete = vi.fn();
  return { longPress: new LongPress({ onComplete, onChange: () => undefined }), onComplete };
}

describe('a long press', () => {
  it('completes once, after a second', () => {
    const { longPress, onComplete } = setUp();
    longPress.press(0);
    longPress.press(10);
    vi.advanceTimersByTime(LONG_PRESS_MS * 3);
    expect(longPress.release(LONG_PRESS_MS * 3)).toBe('nothing');
    expect(onComplete).toHaveBeenCalledOnce();
  });

  it('does not complete if it is released or cancelled before', () => {
    const { longPress, onComplete } = setUp();
    longPress.press(0);
    expect(longPress.release(LONG_PRESS_MS - 1)).toBe('short');
    longPress.press(2000);
    vi.advanceTimersByTime(LONG_PRESS_MS - 1);
    longPress.cancel();
    vi.advanceTimersByTime(LONG_PRESS_MS);
    expect(onComplete).not.toHaveBeenCalled();
  });

  it('is measured by the events, though the timer is late', () => {
    const { longPress, onComplete } = setUp();
    longPress.press(0);
    expect(longPress.release(LONG_PRESS_MS)).toBe('nothing');
    vi.advanceTimersByTime(LONG_PRESS_MS * 2);
    expect(onComplete).toHaveBeenCalledOnce();
  });

  it('is taken for a click if it is too short for a person', () => {
    const { longPress } = setUp();
    longPress.press(0);
    expect(longPress.release(5)).toBe('synthetic');
  });
});
