import type { Argument } from '@/api/types';

interface Options {
  last: number;
  /** Fetches the arguments between two seqs, both excluded; if they are more than a page, the newest of them. */
  fetchRange: (after: number, before: number) => Promise<Argument[]>;
  deliver: (argument: Argument) => void;
}

/**
 * Delivers arguments in `seq` order, each once. If some are missing, as after a lost connection, it fetches them and
 * holds back the later ones until then.
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
      // The server cannot be reached: the next message tries again.
    } finally {
      this.filling = false;
    }
  }
}
