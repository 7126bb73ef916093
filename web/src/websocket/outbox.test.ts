import { describe, expect, it, vi } from 'vitest';
import { argument } from '@/testing/samples';
import type { Action } from './messages';
import { Outbox, WITHDRAWN } from './outbox';

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

  it('accepts one action at a time', async () => {
    const { outbox } = setUp(true);
    void outbox.submit(ACTION);
    expect(await outbox.submit(ACTION)).toMatchObject({ ok: false, failure: { code: 'BUSY' } });
  });
});
