import { Copy, Inbox, Scale } from 'lucide-react';
import { useState } from 'react';
import { useT } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { commandLine } from '@/lib/agentCommands';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useCopy } from '@/ui/useCopy';
import { newRequestId } from '@/websocket/requestId';

/** The agents that `aw setup` knows, the first of them in the command that is shown. */
const AGENTS = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot', 'opencode', 'agents-md'] as const;

interface Step {
  title: MessageKey;
  hint: MessageKey;
  text: string;
  kind: 'command' | 'prompt';
}

/** How to start a debate: the commands and prompts, each of which can be copied. */
export function FirstDebate({ embedded = false }: { embedded?: boolean }) {
  const t = useT();
  // A UUID without hyphens, which the server accepts.
  const [debateId] = useState(newRequestId);
  const steps: readonly Step[] = [
    { title: 'start.server', hint: 'start.server.hint', text: 'aw up', kind: 'command' },
    {
      title: 'start.setup',
      hint: 'start.setup.hint',
      text: `aw setup ${AGENTS[0]} --user`,
      kind: 'command',
    },
    {
      title: 'start.propose',
      hint: 'start.propose.hint',
      text: t('start.propose.prompt'),
      kind: 'prompt',
    },
    { title: 'start.oppose', hint: 'start.oppose.hint', text: t('start.oppose.prompt'), kind: 'prompt' },
    {
      title: 'start.hand',
      hint: 'start.hand.hint',
      text: commandLine(
        location.origin,
        `debate create --debate-id ${debateId} --title '${t('start.hand.title')}' --debate-type general_debate --content '${t('start.hand.motion')}'`,
      ),
      kind: 'command',
    },
  ];
  return (
    <div>
      {!embedded && (
        <Notice icon={Scale} title={t('start.title')}>
          <p className="text-sm text-balance text-muted-foreground">{t('start.text')}</p>
        </Notice>
      )}
      <ol className="mt-3 grid grid-cols-1 gap-3">
        {steps.map((step, index) => (
          <StartStep
            key={step.title}
            step={step}
            number={index + 1}
            values={{ agents: AGENTS.slice(1).join(', ') }}
          />
        ))}
      </ol>
    </div>
  );
}

function StartStep({ step, number, values }: { step: Step; number: number; values: Record<string, string> }) {
  const t = useT();
  const copy = useCopy();
  const title = t(step.title);
  return (
    <li className="rounded-xl border bg-card px-4 py-3">
      <p className="flex items-baseline gap-2 text-sm">
        <span aria-hidden className="font-semibold text-muted-foreground tabular-nums">
          {number}
        </span>
        <span className="font-medium">{title}</span>
      </p>
      <p className="mt-0.5 pl-4.5 text-[13px] text-muted-foreground">{t(step.hint, values)}</p>
      <div className="mt-2 ml-4.5 flex items-center gap-2 rounded-lg border bg-background py-1 pr-1 pl-3">
        {step.kind === 'command' ? (
          <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{step.text}</code>
        ) : (
          <q dir="auto" className="min-w-0 flex-1 text-[13px] wrap-anywhere">
            {step.text}
          </q>
        )}
        <Button
          variant="ghost"
          size="tiny"
          aria-label={t('start.copy', { what: title })}
          title={t('start.copy', { what: title })}
          onClick={() => void copy(step.text)}
        >
          <Copy aria-hidden />
        </Button>
      </div>
    </li>
  );
}

/** Nothing waits; another debate can be started. */
export function EmptyInbox() {
  const t = useT();
  return (
    <>
      <Notice icon={Inbox} title={t('inbox.empty')}>
        <p className="text-sm text-balance text-muted-foreground">{t('inbox.empty.text')}</p>
      </Notice>
      <details className="mt-6 rounded-xl border bg-card px-4 py-3 text-sm">
        <summary className="cursor-pointer rounded font-medium">{t('inbox.start.another')}</summary>
        <FirstDebate embedded />
      </details>
    </>
  );
}
