import type { ReactNode } from 'react';
import { citationsIn } from '@/markdown/citations';
import { issueReferencesIn } from '@/markdown/issueReferences';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';
import { IssueLink } from '@/ui/IssueLink';

interface NoteTextProps {
  text: string;
  /** -1 if the links in it are not to be reached by Tab. */
  tabIndex?: number;
}

/** A note as plain text, with links for citations and for mentions of issues. */
export function NoteText({ text, tabIndex }: NoteTextProps) {
  const links = [
    ...citationsIn(text).map(({ start, end, id, version }) => ({
      start,
      end,
      link: (words: string): ReactNode => (
        <CitedDocumentLink key={start} id={id} version={version} tabIndex={tabIndex}>
          {words}
        </CitedDocumentLink>
      ),
    })),
    ...issueReferencesIn(text).map(({ start, end, id }) => ({
      start,
      end,
      link: (words: string): ReactNode => (
        <IssueLink key={start} id={id} tabIndex={tabIndex}>
          {words}
        </IssueLink>
      ),
    })),
  ].sort((a, b) => a.start - b.start);

  const parts: ReactNode[] = [];
  let shown = 0;
  for (const { start, end, link } of links) {
    parts.push(text.slice(shown, start), link(text.slice(start, end)));
    shown = end;
  }
  parts.push(text.slice(shown));
  return (
    <span className="whitespace-pre-wrap wrap-anywhere [&_a]:text-proposer [&_a]:underline [&_a]:decoration-dotted [&_a]:underline-offset-3">
      {parts}
    </span>
  );
}
