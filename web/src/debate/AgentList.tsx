import { Cpu } from 'lucide-react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { figuresOf, nameOf } from '@/timeline/agentFigures';

/** The programs that wrote an argument, and what they used. */
export function AgentList({ agents }: { agents: NonNullable<Argument['agents']> }) {
  const t = useT();
  return (
    <ul aria-label={t('agents.title')} className="mt-3 grid gap-1 text-xs text-muted-foreground">
      {agents.map((agent, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: agents have no other key
        <li key={index} className="flex gap-1.5">
          <Cpu aria-hidden className="mt-0.5 size-3 shrink-0" />
          <p className="min-w-0 tabular-nums wrap-anywhere">
            <span className="font-medium">{nameOf(t, agent)}</span> {figuresOf(t, agent)}
          </p>
        </li>
      ))}
    </ul>
  );
}
