import type { Argument } from '@/api/types';
import type { Translate } from '@/i18n';
import { idRanges, verbText } from './ruling/changeGroups';
import { departsFrom } from './ruling/issueDecisions';

/** Where a ruling decided otherwise than the option that it chose: `I3 upheld, where the option said dismissed`. */
export function departuresText(t: Translate, ruling: Argument, appeal: Argument | undefined): string {
  const option = appeal?.options?.[ruling.chosen?.number ?? -1];
  const departures = new Map<string, { decided: string; offered: string; ids: string[] }>();
  for (const offer of option?.issue_changes ?? []) {
    const made = ruling.issue_changes?.find(({ issue }) => issue === offer.issue);
    if (!departsFrom(made, offer)) continue;
    const decided = made === undefined ? t('ruling.options.undecided') : verbText(t, made);
    const offered = verbText(t, offer);
    const key = `${decided} ${offered}`;
    const ids = [...(departures.get(key)?.ids ?? []), offer.issue];
    departures.set(key, { decided, offered, ids });
  }
  return [...departures.values()]
    .map(({ decided, offered, ids }) =>
      t('argument.departs', { decided: `${idRanges(ids)} ${decided}`, offered }),
    )
    .join('; ');
}
