export const LONG_PRESS_MS = 1000;

/** Shorter presses come from screen readers and switch devices, which send a click without holding. */
const SHORTEST_HUMAN_MS = 40;

export type Release = 'nothing' | 'short' | 'synthetic';

interface Options {
  onComplete: () => void;
  onChange: (pressing: boolean) => void;
}

/** Detects a press of one second. Times are those of the events, since timers fire late on a busy machine. */
export class LongPress {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private pressedAt = 0;

  constructor(private readonly options: Options) {}

  press(at: number): void {
    if (this.timer !== null) return;
    this.pressedAt = at;
    this.timer = setTimeout(() => this.complete(), LONG_PRESS_MS);
    this.options.onChange(true);
  }

  /** Returns how the press ended; `nothing` if it is complete or was cancelled. */
  release(at: number): Release {
    if (this.timer === null) return 'nothing';
    const duration = at - this.pressedAt;
    if (duration >= LONG_PRESS_MS) {
      this.complete();
      return 'nothing';
    }
    this.end();
    return duration < SHORTEST_HUMAN_MS ? 'synthetic' : 'short';
  }

  cancel(): void {
    if (this.timer !== null) this.end();
  }

  private complete(): void {
    this.end();
    this.options.onComplete();
  }

  private end(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.options.onChange(false);
  }
}
