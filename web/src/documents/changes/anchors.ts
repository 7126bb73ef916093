interface Pair<T> {
  same: boolean;
  left: T | null;
  right: T | null;
}

/**
 * Aligns two lists quickly by the items that each has once, as a patience diff does; what lies between these is taken as replaced. For
 * lists that differ too much to be compared in full.
 */
export function alignByAnchors<T extends { text: string }>(
  left: readonly T[],
  right: readonly T[],
): Pair<T>[] {
  const pairs: Pair<T>[] = [];
  let [l, r] = [0, 0];
  const replaceUpTo = (leftEnd: number, rightEnd: number) => {
    // What is equal at once before an anchor stays.
    while (l < leftEnd && r < rightEnd && left[l]?.text === right[r]?.text) keep();
    for (; l < leftEnd || r < rightEnd; l += 1, r += 1) {
      pairs.push({
        same: false,
        left: (l < leftEnd ? left[l] : null) ?? null,
        right: (r < rightEnd ? right[r] : null) ?? null,
      });
    }
    [l, r] = [leftEnd, rightEnd];
  };
  function keep(): void {
    pairs.push({ same: true, left: left[l] ?? null, right: right[r] ?? null });
    l += 1;
    r += 1;
  }
  for (const [leftIndex, rightIndex] of anchors(left, right)) {
    replaceUpTo(leftIndex, rightIndex);
    keep();
  }
  replaceUpTo(left.length, right.length);
  return pairs;
}

/** The places of items that are unique on both sides, as many as are in the same order on both. */
function anchors(left: readonly { text: string }[], right: readonly { text: string }[]): [number, number][] {
  const places = uniquePlaces(right);
  const common = [...uniquePlaces(left)].flatMap(([text, index]): [number, number][] => {
    const place = places.get(text);
    return place === undefined ? [] : [[index, place]];
  });
  return longestIncreasing(common.toSorted(([a], [b]) => a - b));
}

function uniquePlaces(items: readonly { text: string }[]): Map<string, number> {
  const found = new Map<string, number | null>();
  for (const [index, { text }] of items.entries()) found.set(text, found.has(text) ? null : index);
  return new Map([...found].flatMap(([text, index]) => (index === null ? [] : [[text, index] as const])));
}

/** The longest part of the pairs whose second numbers increase, too. */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = tails[low - 1];
    tails[low] = index;
  }
  const found: [number, number][] = [];
  for (let index = tails.at(-1); index !== undefined; index = before[index]) {
    const pair = pairs[index];
    if (pair) found.push(pair);
  }
  return found.reverse();
}
