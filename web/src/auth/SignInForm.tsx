import { KeyRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { type SignInReason, signIn } from './access';

const MESSAGES = { missing: null, wrong: 'signIn.wrong', staleLink: 'signIn.staleLink' } as const;

export default function SignInForm({ reason }: { reason: SignInReason }) {
  const t = useT();
  const [secret, setSecret] = useState('');
  const field = useId();
  const messageId = useId();
  const message = MESSAGES[reason];

  function submit(event: FormEvent) {
    event.preventDefault();
    if (secret.trim() !== '') signIn(secret.trim());
  }

  return (
    <main className="grid h-dvh place-items-center overflow-y-auto p-4">
      <form onSubmit={submit} className="w-full max-w-sm rounded-2xl border bg-card p-6 shadow-subtle">
        <span className="grid size-11 place-items-center rounded-xl bg-arbitrator-soft text-arbitrator">
          <KeyRound aria-hidden className="size-5" />
        </span>
        <h1 className="mt-4 text-lg font-semibold tracking-tight">{t('signIn.title')}</h1>
        <p className="mt-1.5 text-sm text-muted-foreground">{t('signIn.text')}</p>
        <label htmlFor={field} className="mt-5 block text-sm font-medium">
          {t('signIn.label')}
        </label>
        <input
          id={field}
          type="password"
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the form is all there is on the page
          autoFocus
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
          aria-invalid={reason === 'wrong'}
          aria-describedby={messageId}
          className="mt-1.5 h-10 w-full rounded-lg border border-border bg-background px-3 font-mono text-sm"
        />
        <p id={messageId} role="alert" className="mt-1.5 min-h-5 text-sm text-destructive">
          {message !== null && t(message)}
        </p>
        <Button type="submit" variant="primary" className="mt-2 w-full" disabled={secret.trim() === ''}>
          {t('signIn.submit')}
        </Button>
      </form>
    </main>
  );
}
