export const HOLD_MS = 1000;

/** A press this short is no hand's: screen readers and switches send a click without holding. */
const INHUMAN_MS = 40;

export type Release = 'nothing' | 'short' | 'synthetic';

interface Options {
  onHeld: () => void;
  onChange: (holding: boolean) => void;
  now: () => number;
}

/** One hold: done after a second without letting go, and only then. */
export class Hold {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private since = 0;

  constructor(private readonly options: Options) {}

  press(): void {
    if (this.timer !== null) return;
    this.since = this.options.now();
    this.timer = setTimeout(() => {
      this.end();
      this.options.onHeld();
    }, HOLD_MS);
    this.options.onChange(true);
  }

  /** What the person did by letting go. */
  release(): Release {
    if (this.timer === null) return 'nothing';
    this.end();
    return this.options.now() - this.since < INHUMAN_MS ? 'synthetic' : 'short';
  }

  cancel(): void {
    if (this.timer !== null) this.end();
  }

  private end(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.options.onChange(false);
  }
}
