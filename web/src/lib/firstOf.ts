/** So many of them at most, or all where one were left: the line that says so would take its room. */
export function firstOf<T>(all: readonly T[], most: number): readonly T[] {
  return all.length <= most + 1 ? all : all.slice(0, most);
}
