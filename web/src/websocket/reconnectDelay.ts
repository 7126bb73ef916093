const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** Milliseconds before the next attempt: doubles up to 15 s, with jitter so that many tabs do not reconnect at once. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return ceiling / 2 + (ceiling / 2) * random();
}
