import { compareHistory, type HistoryMismatch, type HistoryReport, type SeqHash } from './history';
import type { LastSeenStore } from './lastSeen';

/** The history contradicts what was seen before. */
export interface HistoryAlarm {
  mismatch: HistoryMismatch;
  /** The end of the history as the server has it now. */
  newest: SeqHash;
}

interface Options {
  debateId: string;
  lastSeen: LastSeenStore;
  /** Fetches what the server has at one seq now. */
  fetchReport: (seq: number) => Promise<HistoryReport | null>;
  onAlarm: (alarm: HistoryAlarm | null) => void;
}

/**
 * Remembers the newest argument that was seen of a debate, and raises an alarm if the history no longer contains it.
 * A mismatch in an answer is only a reason to fetch that argument: a later answer may have overtaken it.
 */
export class HistoryChecker {
  private alarm: HistoryAlarm | null = null;
  private fetching = false;
  private fetchAgain = false;

  constructor(private readonly options: Options) {}

  /** Until the signal: another tab may accept the history that this one warns of. */
  start(signal: AbortSignal): void {
    const recheck = () => this.alarm !== null && void this.recheck();
    this.options.lastSeen.subscribe(this.options.debateId, recheck, signal);
  }

  /** Compares an answer with what was seen. An alarm stays until a person accepts the history. */
  check(report: HistoryReport | null): void {
    if (report === null || this.alarm !== null) return;
    const seen = this.options.lastSeen.get(this.options.debateId);
    if (seen === null || compareHistory(report, seen) === null) this.remember(report);
    else void this.recheck();
  }

  /** Takes the history as it is now for the right one. What was loaded before may be outdated: load the debate again. */
  accept(): void {
    if (this.alarm === null) return;
    this.options.lastSeen.set(this.options.debateId, this.alarm.newest);
    this.setAlarm(null);
  }

  private async recheck(): Promise<void> {
    this.fetchAgain = true;
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (this.fetchAgain) {
        this.fetchAgain = false;
        await this.fetchAndCompare();
      }
    } catch {
      // The server cannot be reached: the next message checks again.
    } finally {
      this.fetching = false;
    }
  }

  /** Reads what was seen before it sends the request, so that a correct answer cannot be older than that. */
  private async fetchAndCompare(): Promise<void> {
    const seen = this.options.lastSeen.get(this.options.debateId);
    if (seen === null) return;
    const report = await this.options.fetchReport(seen.seq);
    if (report === null) return;
    const mismatch = compareHistory(report, seen);
    if (mismatch === null) {
      this.remember(report);
      this.setAlarm(null);
    } else this.setAlarm({ mismatch, newest: report.newest });
  }

  /** Another tab may have seen more by now. */
  private remember({ newest }: HistoryReport): void {
    const { lastSeen, debateId } = this.options;
    if (newest.seq > (lastSeen.get(debateId)?.seq ?? 0)) lastSeen.set(debateId, newest);
  }

  private setAlarm(alarm: HistoryAlarm | null): void {
    this.alarm = alarm;
    this.options.onAlarm(alarm);
  }
}
