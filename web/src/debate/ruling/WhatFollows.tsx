import { useContext } from 'react';
import { useT } from '@/i18n';
import { NoteText } from '@/issues/NoteText';
import { cn } from '@/ui/cn';
import { IssueLinksContext } from '@/ui/IssueLink';
import { askedText, type Preview } from './preview';

interface WhatFollowsProps {
  toFinish: boolean;
  preview: Preview;
  /** How many reasons are missing, without which nothing follows. */
  unexplained: number;
}

/** What each side will be asked after a ruling that continues; on a request to finish, what closing leads to, too. */
export function WhatFollows({ toFinish, preview: { wanted, turns, old }, unexplained }: WhatFollowsProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  if (!wanted) return null;
  const lacks = unexplained > 0;
  const text = turns && askedText(t, turns, (id) => links?.find(id)?.title);
  const faded = !lacks && old && text !== undefined;
  return (
    <div
      data-follows
      aria-busy={faded}
      // Its lines are there before they are told, so that nothing moves then.
      className={cn(
        'min-h-5 text-[13px] text-muted-foreground tabular-nums wrap-anywhere',
        faded && 'opacity-50',
        toFinish && '@max-lg:text-xs',
      )}
    >
      {lacks && <p className="font-medium text-foreground">{t('ruling.lacks.reason', { n: unexplained })}</p>}
      {!lacks && text !== undefined && (
        <p>
          <NoteText text={t(toFinish ? 'asked.sendback' : 'asked', { what: text })} />
        </p>
      )}
      {toFinish && <p>{t('asked.close', { what: t('asked.closed') })}</p>}
    </div>
  );
}
