import { useRouter } from 'next/router';
import { startTransition, useEffect, useState } from 'react';
import { access, signInFromLink } from '@/auth/access';
import { loadLanguage } from '@/i18n';
import { applyPreferences, language, theme } from '@/lib/preferences';
import { useDebateId } from '@/lib/router';
import { useStore } from '@/lib/store';
import { ErrorBoundary, lazyComponent } from '@/ui/lazyComponent';
import { DebateListSkeleton } from '@/ui/Skeleton';
import { Toasts } from '@/ui/toast';
import { AppLayout } from './AppLayout';
import { Workspace } from './Workspace';

// Most never see it: a server on one's own machine needs no token.
const SignInForm = lazyComponent(() => import('@/auth/SignInForm'));

export function App() {
  const debateId = useDebateId();
  const status = useStore(access);
  useAppliedPreferences();
  const languageLoaded = useLanguageLoaded();
  const hydrated = useHydrated();
  // Until then Next.js's router may still replace the address.
  const { isReady } = useRouter();
  useEffect(() => {
    void signInFromLink();
    // A sign-in link that is opened in this tab changes the hash only: it does not load the page.
    window.addEventListener('hashchange', signInFromLink);
    return () => window.removeEventListener('hashchange', signInFromLink);
  }, []);

  // The exported HTML: the layout without any text, since the language is known in the browser only.
  if (!hydrated || !isReady || debateId === undefined || status === 'signingIn' || !languageLoaded) {
    return <AppLayout list={<DebateListSkeleton />} listOpen={false} />;
  }
  return (
    <ErrorBoundary page>
      {status === 'open' ? <Workspace debateId={debateId} /> : <SignInForm key={status} reason={status} />}
      <Toasts />
    </ErrorBoundary>
  );
}

/** False while the exported HTML is hydrated. What comes then is rendered in pieces that do not block the page. */
function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => startTransition(() => setHydrated(true)), []);
  return hydrated;
}

/** Whether the texts for the first page have arrived. Those of a language that is chosen later replace the former ones. */
function useLanguageLoaded(): boolean {
  const chosen = useStore(language);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    void loadLanguage(chosen).then(() => setLoaded(true));
  }, [chosen]);
  return loaded || chosen === 'en';
}

function useAppliedPreferences(): void {
  const chosenTheme = useStore(theme);
  const chosenLanguage = useStore(language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads both from their stores
  useEffect(applyPreferences, [chosenTheme, chosenLanguage]);
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', applyPreferences);
    return () => system.removeEventListener('change', applyPreferences);
  }, []);
}
