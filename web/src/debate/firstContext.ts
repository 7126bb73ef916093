import { api } from '@/api/client';
import type { DebateContext } from '@/api/types';

/** Enough to fill a tall screen. */
export const FIRST_PAGE = 30;

let asked: { id: string; context: Promise<DebateContext> } | null = null;

/** Asks for the debate that the address names while the code that shows it is on its way. */
export function askForContext(id: string): void {
  const context = api.debate(id, { limit: FIRST_PAGE });
  // Whoever takes it asks again.
  context.catch(() => undefined);
  asked = { id, context };
}

/** What was asked of a debate before; once, since it is out of date later. */
export function takeContext(id: string): Promise<DebateContext> | null {
  const taken = asked?.id === id ? asked.context : null;
  asked = null;
  return taken;
}
