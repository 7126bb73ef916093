import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { api } from '@/api/client';
import { type Issue, SIDES } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryList } from '@/issues/HistoryEntry';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { UNFOLDED } from '@/ui/Disclosure';
import { Loading } from '@/ui/Loading';
import type { DecisionModel } from './decisionModel';
import { Said, Unfold } from './Question';
import type { RulingRequest } from './rulingRequest';

/** What was unfolded close to the bar would be under it. */
const intoView = (unfolded: HTMLElement | null) => unfolded?.scrollIntoView({ block: 'nearest' });

interface HistoryButtonProps {
  issue: Issue;
  /** Whether what the sides noted stands with it: else all that was made of it is counted. */
  noted: boolean;
  open: boolean;
  onToggle: () => void;
}

export function HistoryButton({ issue, noted, open, onToggle }: HistoryButtonProps) {
  const t = useT();
  const { id, history = [] } = issue;
  const n = history.filter(({ note }) => !noted || note !== undefined).length;
  return (
    <Button
      variant="link"
      size="bare"
      aria-expanded={open}
      className="ml-auto min-h-6 shrink-0 gap-1! rounded! text-xs [&_svg]:size-3.5!"
      onClick={onToggle}
    >
      <ChevronRight aria-hidden className={cn(open && 'rotate-90')} />
      <span className="max-sm:hidden">{t('ruling.issues.all', { n })}</span>
      <span className="sm:hidden">{t(open ? 'argument.collapse' : 'argument.more')}</span>
      <span className="sr-only">: {id}</span>
    </Button>
  );
}

interface IssueHistoryProps {
  model: DecisionModel;
  issue: Issue;
  /** Whether what the sides noted stands above it. */
  noted?: boolean;
  /** Whether it is brought in view. */
  scrolls?: boolean;
}

/** All that was said about an issue, and the argument in which it was raised. */
export function IssueHistory({ model, issue, noted = false, scrolls = false }: IssueHistoryProps) {
  const t = useT();
  const { id, raised_seq, history = [] } = issue;
  const { id: debateId } = model.debate;
  const entries = noted ? history.filter(({ role }) => !SIDES.some((side) => side === role)) : history;
  return (
    <div ref={scrolls ? intoView : undefined} className={cn(UNFOLDED, 'min-w-0 basis-full')}>
      {entries.length > 0 && <HistoryList id={id} entries={entries} debateId={debateId} />}
      <Unfold
        title={t('ruling.issues.evidence', { seq: raised_seq })}
        className="text-xs text-muted-foreground"
      >
        {() => <Evidence request={model.request} debateId={debateId} seq={raised_seq} />}
      </Unfold>
    </div>
  );
}

interface EvidenceProps {
  request: RulingRequest;
  debateId: string;
  seq: number;
}

/** The argument in which an issue was raised, which is fetched unless it is among those that are loaded. */
function Evidence({ request: { args }, debateId, seq }: EvidenceProps) {
  const loaded = args.find((argument) => argument.seq === seq);
  const query = useQuery({
    queryKey: ['argument', debateId, seq],
    queryFn: ({ signal }) => api.debate(debateId, { after_seq: seq - 1, before_seq: seq + 1 }, signal),
    enabled: loaded === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const argument = loaded ?? query.data?.arguments[0];
  return argument === undefined ? <Loading query={query} /> : <Said argument={argument} />;
}
