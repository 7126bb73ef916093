export const HOLD_MS = 1000;

/** A press this short is no hand's: screen readers and switches send a click without holding. */
const INHUMAN_MS = 40;

export type Release = 'nothing' | 'short' | 'synthetic';

interface Options {
  onHeld: () => void;
  onChange: (holding: boolean) => void;
}

/**
 * One hold: done after a second without letting go, and only then. The times are those of the events, when hand and
 * key really moved: on a busy machine a timer fires late.
 */
export class Hold {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private since = 0;

  constructor(private readonly options: Options) {}

  press(at: number): void {
    if (this.timer !== null) return;
    this.since = at;
    this.timer = setTimeout(() => this.complete(), HOLD_MS);
    this.options.onChange(true);
  }

  /** What the person did by letting go. */
  release(at: number): Release {
    if (this.timer === null) return 'nothing';
    const held = at - this.since;
    if (held >= HOLD_MS) {
      this.complete();
      return 'nothing';
    }
    this.end();
    return held < INHUMAN_MS ? 'synthetic' : 'short';
  }

  cancel(): void {
    if (this.timer !== null) this.end();
  }

  private complete(): void {
    this.end();
    this.options.onHeld();
  }

  private end(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.options.onChange(false);
  }
}
