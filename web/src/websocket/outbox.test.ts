import { describe, expect, it, vi } from 'vitest';
import { argument } from '@/testing/samples';
import type { Action } from './messages';
import { Outbox, type Outcome, WITHDRAWN } from './outbox';

const ACTION: Action = { event: 'submit_intervention', data: { debate_id: 'd' } };
const MESSAGE = { event: 'submit_intervention', data: { debate_id: 'd', request_id: 'r1' } };

function setUp(connected: boolean) {
  const send = vi.fn(() => connected);
  const outbox = new Outbox({ send, onChange: () => undefined });
  return { outbox, send, connect: () => send.mockReturnValue(true) };
}

describe('the outbox', () => {
  it('sends again under the same request id', async () => {
    const { outbox, send } = setUp(true);
    const outcome = outbox.submit(ACTION, 'r1');
    outbox.resend();
    expect(send.mock.calls).toEqual([[MESSAGE], [MESSAGE]]);
    outbox.receive({
      event: 'accepted',
      data: { request_id: 'r1', argument: argument(), unknown_citations: [] },
    });
    expect(await outcome).toMatchObject({ ok: true });
    outbox.resend();
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('ignores answers to other request ids', () => {
    const { outbox } = setUp(true);
    void outbox.submit(ACTION, 'r1');
    expect(
      outbox.receive({
        event: 'accepted',
        data: { request_id: 'other', argument: argument(), unknown_citations: [] },
      }),
    ).toBe(false);
    expect(outbox.receive({ event: 'error', data: { request_id: 'r1', code: 'X', message: '' } })).toBe(true);
  });

  it('returns the error of a refused action', async () => {
    const { outbox } = setUp(true);
    const outcome = outbox.submit(ACTION, 'r1');
    outbox.receive({ event: 'error', data: { request_id: 'r1', code: 'FORBIDDEN', message: 'no' } });
    expect(await outcome).toMatchObject({ ok: false, failure: { code: 'FORBIDDEN' } });
  });

  it('withdraws an action until it was sent', async () => {
    const { outbox, connect } = setUp(false);
    const first = outbox.submit(ACTION);
    outbox.withdraw();
    expect(await first).toEqual({ ok: false, failure: WITHDRAWN });
    const settled = vi.fn();
    void outbox.submit(ACTION).then(settled);
    connect();
    outbox.resend();
    outbox.withdraw();
    await Promise.resolve();
    expect(settled).not.toHaveBeenCalled();
  });

  it('sends only what is still to be sent, and asks that before each time', async () => {
    const { outbox, send, connect } = setUp(false);
    const settled = vi.fn();
    const check = vi.fn(async (): Promise<Outcome | null> => null);
    void outbox.submit(ACTION, 'r1', check).then(settled);
    expect(send).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    connect();
    const stored = argument({ type: 'RULING' });
    check.mockResolvedValue({ ok: true, argument: stored });
    outbox.resend();
    await vi.waitFor(() => expect(settled).toHaveBeenCalledWith({ ok: true, argument: stored }));
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('sends nothing while it cannot be told', async () => {
    vi.useFakeTimers();
    const { outbox, send } = setUp(true);
    const check = vi.fn(() => Promise.reject(new Error('no answer')));
    void outbox.submit(ACTION, 'r1', check);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(check).toHaveBeenCalledTimes(3);
    expect(send).not.toHaveBeenCalled();
    outbox.withdraw();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(check).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
  });

  it('accepts one action at a time', async () => {
    const { outbox } = setUp(true);
    void outbox.submit(ACTION);
    expect(await outbox.submit(ACTION)).toMatchObject({ ok: false, failure: { code: 'BUSY' } });
  });
});
