import type { Argument } from '@/api/types';

interface Options {
  last: number;
  /** The arguments after `after` and before `before`, at most the newest of them. */
  fetchRange: (after: number, before: number) => Promise<Argument[]>;
  deliver: (argument: Argument) => void;
}

/**
 * Hands arguments on in `seq` order, each once. Where some are missing (a connection was lost for long) it asks for
 * them first and holds back what came after.
 */
export class Sequencer {
  private held = new Map<number, Argument>();
  private filling = false;

  constructor(private readonly options: Options) {}

  get last(): number {
    return this.options.last;
  }

  push(batch: readonly Argument[]): void {
    for (const argument of batch) {
      if (argument.seq > this.last) this.held.set(argument.seq, argument);
    }
    this.flush();
    if (this.held.size > 0 && !this.filling) void this.fill();
  }

  private flush(): void {
    for (let next = this.held.get(this.last + 1); next; next = this.held.get(this.last + 1)) {
      this.held.delete(next.seq);
      this.options.last = next.seq;
      this.options.deliver(next);
    }
  }

  private async fill(): Promise<void> {
    this.filling = true;
    try {
      while (this.held.size > 0) {
        const missing = await this.options.fetchRange(this.last, Math.min(...this.held.keys()));
        if (missing.length === 0) break;
        for (const argument of missing) if (argument.seq > this.last) this.held.set(argument.seq, argument);
        this.flush();
      }
    } catch {
      // The server is away: the next event or the next `initial_state` tries again.
    } finally {
      this.filling = false;
    }
  }
}
