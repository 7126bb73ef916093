import type { Argument, Failure } from '@/api/types';
import type { Action, ServerEvent } from './protocol';

export interface Pending {
  requestId: string;
  action: Action;
  /** False while it waits for a connection: then it may still be taken back. */
  sent: boolean;
}

export type Outcome = { ok: true; argument: Argument } | { ok: false; failure: Failure };

interface Options {
  send: (message: unknown) => boolean;
  newId: () => string;
  onChange: (pending: Pending | null) => void;
}

export const TAKEN_BACK: Failure = { code: 'TAKEN_BACK', message: 'Taken back before it was sent.' };

/**
 * Holds the one action that is under way. It keeps its request id for as long as it lives, so sending it again after
 * a lost connection stores nothing twice.
 */
export class Outbox {
  private pending: Pending | null = null;
  private settle: ((outcome: Outcome) => void) | null = null;

  constructor(private readonly options: Options) {}

  submit(action: Action): Promise<Outcome> {
    if (this.pending !== null) {
      return Promise.resolve({
        ok: false,
        failure: { code: 'BUSY', message: 'Another action is under way.' },
      });
    }
    this.pending = { requestId: this.options.newId(), action, sent: false };
    return new Promise((resolve) => {
      this.settle = resolve;
      this.resend();
    });
  }

  /** Called on every fresh connection too. */
  resend(): void {
    if (this.pending === null) return;
    const { action, requestId } = this.pending;
    const sent = this.options.send({ event: action.event, data: { ...action.data, request_id: requestId } });
    this.pending = { ...this.pending, sent: this.pending.sent || sent };
    this.options.onChange(this.pending);
  }

  takeBack(): void {
    if (this.pending !== null && !this.pending.sent) this.finish({ ok: false, failure: TAKEN_BACK });
  }

  /** True where the event was the answer to what is under way. */
  receive(event: ServerEvent): boolean {
    if (this.pending === null || (event.event !== 'accepted' && event.event !== 'error')) return false;
    if (event.data.request_id !== this.pending.requestId) return false;
    this.finish(
      event.event === 'accepted'
        ? { ok: true, argument: event.data.argument }
        : { ok: false, failure: event.data },
    );
    return true;
  }

  private finish(outcome: Outcome): void {
    const settle = this.settle;
    this.pending = null;
    this.settle = null;
    this.options.onChange(null);
    settle?.(outcome);
  }
}
