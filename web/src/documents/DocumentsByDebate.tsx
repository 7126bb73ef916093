import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { debateIdIn } from '@/lib/router';
import { DocumentRow } from './DocumentRow';

const PAGE = 50;
/** The documents of so many debates are shown at once. */
const OPEN = 3;

/** The newest debates that have a plan; undefined until it is known. */
export function useDebatesWithPlans(): readonly Debate[] | undefined {
  const { data, isError } = useQuery({
    queryKey: ['debates'],
    queryFn: ({ signal }) => api.debates({ limit: PAGE }, signal),
  });
  return isError ? [] : data?.debates.filter(({ plan }) => plan !== null);
}

/** Each debate with the documents that it cites. That of the page is open. */
export function DocumentsByDebate({ debates }: { debates: readonly Debate[] }) {
  const shown = debateIdIn(location.pathname);
  return debates.map((debate, index) => (
    <DebateDocuments key={debate.id} debate={debate} shown={index < OPEN || debate.id === shown} />
  ));
}

function DebateDocuments({ debate, shown }: { debate: Debate; shown: boolean }) {
  const [open, setOpen] = useState(shown);
  const { data } = useQuery({
    queryKey: ['documents', 'of', debate.id, debate.last_seq],
    queryFn: ({ signal }) => api.documents({ debate_id: debate.id, limit: PAGE }, signal),
    enabled: open,
  });
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-documents-of={debate.id}
    >
      <summary
        dir="auto"
        className="cursor-pointer rounded-xl px-3 py-2 text-sm wrap-anywhere hover:bg-accent"
      >
        {debate.title}
      </summary>
      <ul className="mb-1 ml-4 grid grid-cols-1 gap-0.5 border-l pl-1">
        {data?.documents.map((document) => (
          <DocumentRow key={document.id} document={document} />
        ))}
      </ul>
    </details>
  );
}
