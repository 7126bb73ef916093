import type { Debate, Side } from '@/api/types';
import { useT } from '@/i18n';
import { guideCommand, runCommand } from './agentPrompts';
import { CopyLine } from './CopyLine';

interface HandOverProps {
  debate: Debate;
  task: string;
  /** The sides that nobody has taken yet. */
  missing: readonly Side[];
}

/** What to give to the agents of a debate that has just begun, until they are there. */
export function HandOver({ debate: { id }, task, missing }: HandOverProps) {
  const t = useT();
  return (
    <section aria-label={t('start.hand')} className="max-h-[40dvh] overflow-y-auto border-t bg-sidebar">
      <details open className="mx-auto max-w-[52rem] px-3 py-2.5 sm:px-6">
        <summary className="cursor-pointer rounded text-sm font-semibold">{t('start.hand')}</summary>
        <ul className="divide-y divide-border">
          {missing.length > 1 && (
            <CopyLine
              title={t('start.run')}
              hint={t('start.run.hint')}
              text={runCommand(id, task, location.origin)}
            />
          )}
          {missing.map((side) => (
            <CopyLine
              key={side}
              title={t(`start.${side}`)}
              hint={t(`start.${side}.hint`)}
              text={t(`start.${side}.prompt`, { id, command: guideCommand(side, location.origin) })}
            />
          ))}
        </ul>
      </details>
    </section>
  );
}
