import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { debateIdIn } from '@/lib/router';
import { Disclosure } from '@/ui/Disclosure';
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
  return (
    <div data-documents-of={debate.id} className="px-3">
      <Disclosure title={debate.title} open={shown}>
        {() => <DocumentsOf debate={debate} />}
      </Disclosure>
    </div>
  );
}

function DocumentsOf({ debate: { id, last_seq } }: { debate: Debate }) {
  const { data } = useQuery({
    queryKey: ['documents', 'of', id, last_seq],
    queryFn: ({ signal }) => api.documents({ debate_id: id, limit: PAGE }, signal),
  });
  return (
    <ul className="mb-1 ml-2 grid grid-cols-1 gap-0.5 border-l pl-1">
      {data?.documents.map((document) => (
        <DocumentRow key={document.id} document={document} />
      ))}
    </ul>
  );
}
