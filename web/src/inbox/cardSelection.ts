/** The card after or before the active one; the first if there is none. */
export function neighbour(ids: readonly string[], active: string | null, by: 1 | -1): string | null {
  const index = active === null ? -1 : ids.indexOf(active);
  if (index === -1) return ids[0] ?? null;
  return ids[index + by] ?? null;
}

/** The active card: the chosen one, else the one that took its place, else the first. */
export function replacement(
  ids: readonly string[],
  former: readonly string[],
  chosen: string | null,
): string | null {
  if (chosen !== null && ids.includes(chosen)) return chosen;
  const place = chosen === null ? -1 : former.indexOf(chosen);
  if (place === -1) return ids[0] ?? null;
  const after = former.slice(place + 1).find((id) => ids.includes(id));
  return after ?? ids.at(-1) ?? null;
}
