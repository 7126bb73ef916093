import type { RulingChange } from '@/api/types';
import type { Translate } from '@/i18n';
import type { TextPart } from '@/ui/TextParts';
import type { KeyedChange } from './issueDecisions';

/** Issues of which the same becomes, in the same words. */
export interface ChangeGroup {
  /** Their ids, or the key of one that a ruling raises. */
  keys: readonly string[];
  change: RulingChange;
}

/** Changes in the order in which they come, those that are alike as one; some stand alone. */
export function groupsOf(
  changes: readonly KeyedChange[],
  isAlone: (key: string) => boolean = () => false,
): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { key, change } of changes) {
    const { issue, ...said } = change;
    const words = issue && !isAlone(key) ? JSON.stringify(said) : key;
    groups.set(words, { change, keys: [...(groups.get(words)?.keys ?? []), key] });
  }
  return [...groups.values()];
}

/** Consecutive issues that have the same mark. */
export interface IdRange {
  /** `I2`, or `I2–I4` */
  text: string;
  mark: string;
}

/** In the order of their numbers. Two that are consecutive are no range, which would be no shorter. */
export function markedRanges(ids: readonly string[], markOf: (id: string) => string): readonly IdRange[] {
  const numbers = ids.map((id) => Number(id.slice(1))).toSorted((a, b) => a - b);
  const runs: { numbers: number[]; mark: string }[] = [];
  for (const number of numbers) {
    const mark = markOf(`I${number}`);
    const run = runs.at(-1);
    if (run?.mark === mark && run.numbers.at(-1) === number - 1) run.numbers.push(number);
    else runs.push({ numbers: [number], mark });
  }
  return runs.flatMap(({ numbers, mark }) =>
    numbers.length > 2
      ? [{ text: `I${numbers[0]}–I${numbers.at(-1)}`, mark }]
      : numbers.map((number) => ({ text: `I${number}`, mark })),
  );
}

/** `I2–I4, I7` */
export function idRanges(ids: readonly string[]): string {
  return markedRanges(ids, () => '')
    .map(({ text }) => text)
    .join(', ');
}

/** What becomes of an issue that is there, such as `upheld`, or `regraded to Low`. */
export function verbText(
  t: Translate,
  { change, severity }: Pick<RulingChange, 'change' | 'severity'>,
): string {
  const grade = severity && t('change.to', { severity: t.label('severity', severity) });
  return [t.label('change', change), grade].filter(Boolean).join(' ');
}

/** A group in short, such as `I2–I4, I7 upheld`, or `raised “No bound” (Low)`. */
export function groupParts(t: Translate, { keys, change }: ChangeGroup): readonly TextPart[] {
  const { title, severity } = change;
  if (title === undefined) return [`${idRanges(keys)} ${verbText(t, change)}`];
  const grade = severity ? ` (${t.label('severity', severity)})` : '';
  return [`${t.label('change', change.change)} `, { written: `“${title}”` }, grade];
}
