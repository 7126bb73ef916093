import { Fragment, type ReactNode } from 'react';
import { debatePath } from '@/lib/router';
import { allCitationsIn } from '@/markdown/citations';
import { issueReferencesIn } from '@/markdown/issueReferences';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { Link } from '@/ui/Link';

interface NoteTextProps {
  text: string;
  /** -1 if the links in it are not to be reached by Tab. */
  tabIndex?: number;
}

/** A note, with links for citations and for mentions of issues. */
export function NoteText({ text, tabIndex }: NoteTextProps) {
  return (
    <span className="whitespace-pre-wrap wrap-anywhere [&_a]:text-foreground">
      <InlineText text={text} part={(plain) => withLinks(plain, tabIndex)} />
    </span>
  );
}

function withLinks(text: string, tabIndex: number | undefined): ReactNode {
  const found = [
    ...allCitationsIn(text),
    ...issueReferencesIn(text).map((reference) => ({ ...reference, version: undefined })),
  ].sort((a, b) => a.start - b.start);
  const ends = [0, ...found.map(({ end }) => end)];
  return (
    <>
      {found.map((link, index) => {
        const words = text.slice(link.start, link.end);
        return (
          <Fragment key={link.start}>
            {text.slice(ends[index], link.start)}
            {'seq' in link ? (
              <Link href={debatePath(link.debateId, link.seq)} tabIndex={tabIndex} className="link rounded">
                {words}
              </Link>
            ) : link.version === undefined ? (
              <IssueLink id={link.id} tabIndex={tabIndex}>
                {words}
              </IssueLink>
            ) : (
              <CitedDocumentLink id={link.id} version={link.version} tabIndex={tabIndex}>
                {words}
              </CitedDocumentLink>
            )}
          </Fragment>
        );
      })}
      {text.slice(ends.at(-1))}
    </>
  );
}
