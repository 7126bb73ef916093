'use client';

import { useEffect } from 'react';
import { ListSkeleton } from '@/list/ListSkeleton';
import { Toasts } from '@/ui/toast';
import { access, enter } from './access';
import { Crash } from './Crash';
import { applyToDocument, language, theme } from './prefs';
import { useDebateId } from './router';
import { Seat } from './Seat';
import { Shell } from './Shell';
import { useStore } from './store';
import { TokenGate } from './TokenGate';

export function App() {
  const debateId = useDebateId();
  const allowed = useStore(access);
  useDocumentPrefs();
  useEffect(() => {
    void enter();
    // A link that is opened in this very tab loads nothing.
    window.addEventListener('hashchange', enter);
    return () => window.removeEventListener('hashchange', enter);
  }, []);

  // What the export holds: the frame, without a word of any language.
  if (debateId === undefined || allowed === 'entering') {
    return (
      <Shell list={<ListSkeleton />} open={false}>
        {null}
      </Shell>
    );
  }
  return (
    <Crash>
      {allowed === 'open' ? <Seat debateId={debateId} /> : <TokenGate key={allowed} reason={allowed} />}
      <Toasts />
    </Crash>
  );
}

function useDocumentPrefs(): void {
  const chosenTheme = useStore(theme);
  const chosenLanguage = useStore(language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both are what it applies
  useEffect(applyToDocument, [chosenTheme, chosenLanguage]);
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', applyToDocument);
    return () => system.removeEventListener('change', applyToDocument);
  }, []);
}
