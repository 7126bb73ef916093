import { ArrowLeft, FileUp } from 'lucide-react';
import { type AllHTMLAttributes, type FormEvent, useId, useRef, useState } from 'react';
import { ApiError } from '@/api/client';
import { MAX_DEBATE_TITLE, MAX_ROUNDS } from '@/api/limits';
import { DEBATE_TYPES, type Failure } from '@/api/types';
import { handleAuthFailure } from '@/auth/access';
import { useT } from '@/i18n';
import { debatePath, inboxPath, navigate } from '@/lib/router';
import { useStore } from '@/lib/store';
import { Button } from '@/ui/button';
import { sizeLabel } from '@/ui/byteSize';
import { Choices } from '@/ui/Choices';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { CopyLine } from './CopyLine';
import { blank, type NewDebate, newDebate, open, usualTitle } from './newDebate';

/** The agents that `aw setup` knows. */
const AGENTS = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot', 'opencode', 'agents-md'];

const FIELD =
  'mt-1.5 block w-full rounded-lg border border-border bg-card px-3 placeholder:text-muted-foreground focus-visible:outline-offset-0';

/** Opens a debate: task and plan. What to give to the agents is shown in the debate then. */
export default function NewDebateScreen() {
  const t = useT();
  const written = useStore(newDebate);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const file = useRef<HTMLInputElement>(null);

  /** A changed text is another request. */
  function change(part: Partial<NewDebate>) {
    const { debateId } = blank();
    newDebate.set({ ...written, ...(failure !== null && { debateId }), ...part });
    setFailure(null);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      const id = await open(written);
      newDebate.set(blank());
      navigate(debatePath(id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      handleAuthFailure(error.failure);
      setFailure(error.failure);
      setBusy(false);
    }
  }

  return (
    <div className="h-full overflow-y-auto">
      <form onSubmit={submit} className="mx-auto grid max-w-[46rem] gap-5 px-4 py-5 sm:px-6 sm:py-8">
        <header>
          <Link
            href={inboxPath()}
            className="-ml-2 mb-2 inline-flex h-9 items-center gap-2 rounded-lg px-2 text-sm font-medium text-muted-foreground hover:bg-accent md:hidden"
          >
            <ArrowLeft aria-hidden className="size-4" />
            {t('list.back')}
          </Link>
          <h1 className="text-xl font-semibold tracking-tight">{t('start.title')}</h1>
          <p className="mt-1 text-sm text-muted-foreground">{t('start.text')}</p>
        </header>
        <Field
          label={t('start.task')}
          hint={t('start.task.hint')}
          required
          rows={3}
          value={written.task}
          onText={(task) => change({ task })}
          className="resize-y py-2 text-sm leading-relaxed"
        />
        <Field
          label={t('start.plan')}
          hint={t('start.plan.hint')}
          rows={8}
          spellCheck={false}
          value={written.plan}
          onText={(plan) => change({ plan })}
          className="resize-y py-2 font-mono text-xs leading-relaxed"
        >
          <div className="mt-2 flex items-center gap-3 text-xs text-muted-foreground">
            <Button size="sm" onClick={() => file.current?.click()}>
              <FileUp aria-hidden />
              {t('start.plan.file')}
            </Button>
            {written.plan !== '' && <span className="tabular-nums">{sizeLabel(written.plan)}</span>}
          </div>
          <input
            ref={file}
            hidden
            type="file"
            aria-label={t('start.plan.file')}
            accept=".md,.markdown,.txt,text/plain,text/markdown"
            onChange={async ({ target }) => {
              const plan = await target.files?.[0]?.text();
              if (plan !== undefined) change({ plan });
              target.value = '';
            }}
          />
        </Field>
        <Field
          label={t('start.name')}
          hint={t('start.name.hint')}
          maxLength={MAX_DEBATE_TITLE}
          placeholder={usualTitle(written)}
          value={written.title}
          onText={(title) => change({ title })}
          className="h-10 text-sm"
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label={t('start.rounds')}
            hint={t('start.rounds.hint')}
            type="number"
            required
            min={1}
            max={MAX_ROUNDS}
            value={written.rounds || ''}
            onText={(rounds) => change({ rounds: Number(rounds) })}
            className="h-10 w-24! text-sm tabular-nums"
          />
          <div className="grid content-start justify-items-start gap-1.5">
            <span className="text-sm font-medium">{t('list.type')}</span>
            <Choices
              label={t('list.type')}
              chosen={written.type}
              choices={DEBATE_TYPES.map((type) => [type, t.label('type', type)] as const)}
              onChoose={(type) => change({ type })}
            />
          </div>
        </div>
        {failure !== null && (
          <p role="alert" className="rounded-lg bg-destructive-soft px-3 py-2 text-sm text-destructive">
            {t.failure(failure)}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={() => navigate(inboxPath())}>
            {t('dialog.cancel')}
          </Button>
          <Button variant="primary" type="submit" disabled={busy || written.task.trim() === ''}>
            {t('start.open')}
          </Button>
        </div>
        <ul className="border-t pt-2">
          <CopyLine
            title={t('start.setup')}
            hint={t('start.setup.hint', { agents: AGENTS.slice(1).join(', ') })}
            text={`aw setup ${AGENTS[0]} --user`}
          />
        </ul>
      </form>
    </div>
  );
}

interface FieldProps extends Omit<AllHTMLAttributes<HTMLElement>, 'onChange'> {
  label: string;
  hint: string;
  onText: (text: string) => void;
}

function Field({ label, hint, rows, onText, className, children, ...props }: FieldProps) {
  const id = useId();
  const field = {
    ...props,
    id,
    'aria-describedby': `${id}-hint`,
    dir: 'auto',
    onChange: ({ target }: { target: { value: string } }) => onText(target.value),
    className: cn(FIELD, className),
  };
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <p id={`${id}-hint`} className="text-[13px] text-muted-foreground">
        {hint}
      </p>
      {rows === undefined ? <input type="text" {...field} /> : <textarea rows={rows} {...field} />}
      {children}
    </div>
  );
}
