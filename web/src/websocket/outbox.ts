import type { Argument, Failure } from '@/api/types';
import type { Action, ServerMessage } from './messages';

export interface Pending {
  requestId: string;
  action: Action;
  /** False while it waits for a connection: until then it can be withdrawn. */
  sent: boolean;
}

export type Outcome = { ok: true; argument: Argument } | { ok: false; failure: Failure };

interface Options {
  send: (message: unknown) => boolean;
  onChange: (pending: Pending | null) => void;
}

/** `crypto.randomUUID` needs a secure origin, which plain http to another machine is not. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Asks what came of an action already; null if it is to be sent. It rejects where that cannot be told now. */
type Check = () => Promise<Outcome | null>;

const RETRY_MS = 2_000;

export const WITHDRAWN: Failure = { code: 'WITHDRAWN', message: 'Withdrawn before it was sent.' };

/**
 * Holds the one action that has no answer yet. It is sent again on each new connection, always under the same request
 * id, so that the server stores it once; before each time it is checked whether it is still to be sent.
 */
export class Outbox {
  private pending: Pending | null = null;
  private settle: ((outcome: Outcome) => void) | null = null;
  private check: Check | undefined;

  constructor(private readonly options: Options) {}

  /** A request id that is given is that of an earlier try, which may have been stored. */
  submit(action: Action, requestId = newRequestId(), check?: Check): Promise<Outcome> {
    if (this.pending !== null) {
      return Promise.resolve({
        ok: false,
        failure: { code: 'BUSY', message: 'Another action is in progress.' },
      });
    }
    this.pending = { requestId, action, sent: false };
    this.check = check;
    this.options.onChange(this.pending);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.resend();
    });
  }

  /** To be called on every new connection. */
  resend(): void {
    if (this.pending === null) return;
    if (this.check === undefined) this.send(this.pending);
    else void this.sendChecked(this.pending.requestId, this.check);
  }

  private async sendChecked(id: string, check: Check): Promise<void> {
    const outcome = await check().catch(() => undefined);
    // It may have been answered or withdrawn meanwhile.
    if (this.pending?.requestId !== id) return;
    if (outcome === undefined) setTimeout(() => this.resend(), RETRY_MS);
    else if (outcome === null) this.send(this.pending);
    else this.finish(outcome);
  }

  private send(pending: Pending): void {
    const { action, requestId } = pending;
    const sent = this.options.send({ event: action.event, data: { ...action.data, request_id: requestId } });
    this.pending = { ...pending, sent: pending.sent || sent };
    this.options.onChange(this.pending);
  }

  withdraw(): void {
    if (this.pending !== null && !this.pending.sent) this.finish({ ok: false, failure: WITHDRAWN });
  }

  /** Returns true if the message answers the pending action. */
  receive(message: ServerMessage): boolean {
    if (this.pending === null || (message.event !== 'accepted' && message.event !== 'error')) return false;
    if (message.data.request_id !== this.pending.requestId) return false;
    this.finish(
      message.event === 'accepted'
        ? { ok: true, argument: message.data.argument }
        : { ok: false, failure: message.data },
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
