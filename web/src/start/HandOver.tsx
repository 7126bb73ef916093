import type { Debate, Side } from '@/api/types';
import { useT } from '@/i18n';
import { commandLine } from '@/lib/agentCommands';
import { cn } from '@/ui/cn';
import { Disclosure } from '@/ui/Disclosure';
import { CopyLine } from './CopyLine';

interface HandOverProps {
  debate: Debate;
  task: string;
  /** The sides that nobody has taken yet. */
  missing: readonly Side[];
}

/** What to give to the agents of a debate that has just begun, until they are there. */
export function HandOver({ debate: { id, last_seq }, task, missing }: HandOverProps) {
  const t = useT();
  return (
    <section
      aria-label={t('start.hand')}
      // As long as there is little else to read.
      className={cn(
        last_seq === 1 ? 'max-h-[60dvh]' : 'max-h-[40dvh]',
        'overflow-y-auto border-t bg-sidebar',
      )}
    >
      <Disclosure open title={t('start.hand')} className="mx-auto max-w-[52rem] px-4.5 py-2.5 sm:px-7.5">
        {() => (
          <ul className="divide-y divide-border">
            {missing.length > 1 && (
              <CopyLine title={t('start.run')} hint={t('start.run.hint')} text={runCommand(id, task)} />
            )}
            {missing.map((side) => (
              <CopyLine
                key={side}
                title={t(`start.${side}`)}
                hint={t(`start.${side}.hint`)}
                text={t(`start.${side}.prompt`, { id, command: guideCommand(side) })}
              />
            ))}
          </ul>
        )}
      </Disclosure>
    </section>
  );
}

/** With it an agent learns what its role does. */
const guideCommand = (side: Side) => commandLine(location.origin, `debate guide --role ${side}`);

/** One command that plays both sides of a debate with the agents that are installed. */
function runCommand(debateId: string, task: string): string {
  const quoted = `'${task.replaceAll("'", `'\\''`)}'`;
  return commandLine(location.origin, `debate run --debate-id ${debateId} --task ${quoted}`);
}
