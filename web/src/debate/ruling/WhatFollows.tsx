import { useContext } from 'react';
import { useT } from '@/i18n';
import { NoteText } from '@/issues/NoteText';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { IssueLinksContext } from '@/ui/IssueLink';
import { TextParts } from '@/ui/TextParts';
import { idRanges } from './changeGroups';
import { askedParts, type Preview } from './preview';
import { AWAY_WHILE_WRITING } from './StickyBar';

const MISSING_REASON = 'textarea:invalid:not([data-ruling-box])';

interface WhatFollowsProps {
  toFinish: boolean;
  preview: Preview;
  /** The ids of the issues of which a reason is missing, without which nothing follows. */
  unexplained: readonly string[];
}

/** What each side will be asked after a ruling that continues; on a request to finish, what closing leads to, too. */
export function WhatFollows({ toFinish, preview, unexplained }: WhatFollowsProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  const { wanted, turns, told, unblocked, old } = preview;
  if (!wanted) return null;
  const lacks = unexplained.length > 0;
  const find = (id: string) => {
    const now = links?.find(id);
    const { upheld = false } = told.find((issue) => issue.id === id) ?? now ?? {};
    return { title: now?.title, upheld };
  };
  const parts = turns && askedParts(t, turns, find);
  const faded = !lacks && old && parts !== undefined;
  return (
    <div
      data-follows
      // A link in it may be gone with the next answer: the keyboard goes on from here.
      tabIndex={-1}
      aria-busy={faded}
      // Its lines are there before they are told, so that nothing moves then: the bar would come under a finger.
      className={cn(
        'min-h-5 @max-lg:min-h-10 text-[13px] text-muted-foreground tabular-nums wrap-anywhere',
        faded && 'opacity-50',
        toFinish && '@max-lg:text-xs',
        !lacks && AWAY_WHILE_WRITING,
      )}
    >
      {lacks && (
        <p>
          <Button
            variant="link"
            size="bare"
            className="rounded! text-start font-medium text-warning! whitespace-normal! underline"
            onClick={({ currentTarget }) =>
              currentTarget.form?.querySelector<HTMLElement>(MISSING_REASON)?.focus()
            }
          >
            {t('ruling.lacks.reason', { ids: idRanges(unexplained) })}
          </Button>
        </p>
      )}
      {!lacks && parts !== undefined && (
        <p>
          {t(toFinish ? 'asked.sendback' : 'asked', { what: '' })}
          <TextParts parts={parts} words={(text) => <NoteText text={text} />} />
          {unblocked && ` · ${t('asked.unblocked')}`}
        </p>
      )}
      {toFinish && <p>{t('asked.close', { what: t('asked.closed') })}</p>}
    </div>
  );
}
