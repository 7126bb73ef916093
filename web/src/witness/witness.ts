import type { Heads } from './heads';
import { type Fault, type Seen, type Told, verdict } from './history';

/** A history that does not go on from what was seen. */
export interface Alarm {
  fault: Fault;
  /** How far the server's history goes now. */
  newest: Seen;
}

interface Options {
  debateId: string;
  heads: Heads;
  /** What the server tells of one place now. */
  ask: (seq: number) => Promise<Told | null>;
  onAlarm: (alarm: Alarm | null) => void;
}

/**
 * Remembers how far a debate was seen, and notices where its history does not go on from there. An answer that does
 * not show that it does is only a reason to ask again: a later one may have overtaken it on the way.
 */
export class Witness {
  private alarm: Alarm | null = null;
  private asking = false;
  private again = false;
  private unwatch: (() => void) | null = null;

  constructor(private readonly options: Options) {}

  /** Another tab may accept what this one warns of, or see what this one has not. */
  start(): void {
    const { heads, debateId } = this.options;
    this.unwatch = heads.watch(debateId, () => {
      if (this.alarm !== null) void this.lookInto();
    });
  }

  stop(): void {
    this.unwatch?.();
    this.unwatch = null;
  }

  /** Compares an answer with what is remembered. What was warned of stands until a person accepts it. */
  look(told: Told | null): void {
    if (told === null || this.alarm !== null) return;
    const seen = this.options.heads.get(this.options.debateId);
    if (seen === null || verdict(told, seen).name === 'extends') this.remember(told);
    else void this.lookInto();
  }

  /** Goes on from the history as it is now. */
  accept(): void {
    if (this.alarm === null) return;
    this.options.heads.set(this.options.debateId, this.alarm.newest);
    this.tell(null);
  }

  private async lookInto(): Promise<void> {
    this.again = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.again) {
        this.again = false;
        await this.askOnce();
      }
    } catch {
      // The server is away: the next event or the next `initial_state` asks again.
    } finally {
      this.asking = false;
    }
  }

  /** What was seen is read before the question is sent, so an honest answer can be of no earlier moment. */
  private async askOnce(): Promise<void> {
    const seen = this.options.heads.get(this.options.debateId);
    if (seen === null) return;
    const told = await this.options.ask(seen.seq);
    if (told === null) return;
    const found = verdict(told, seen);
    if (found.name === 'extends') {
      this.remember(told);
      this.tell(null);
    } else this.tell({ fault: found, newest: told.newest });
  }

  /** Another tab may have seen more by now. */
  private remember({ newest }: Told): void {
    const { heads, debateId } = this.options;
    if (newest.seq > (heads.get(debateId)?.seq ?? 0)) heads.set(debateId, newest);
  }

  private tell(alarm: Alarm | null): void {
    if (alarm === null && this.alarm === null) return;
    this.alarm = alarm;
    this.options.onAlarm(alarm);
  }
}
