const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** Doubles up to a quarter of a minute; the jitter keeps many tabs from coming back at the same moment. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return ceiling / 2 + (ceiling / 2) * random();
}
