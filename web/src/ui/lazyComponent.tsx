import { TriangleAlert } from 'lucide-react';
import { Component, type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { translator } from '@/i18n';
import { language } from '@/lib/preferences';
import { Button } from './button';
import { Notice } from './notice';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

const RETRY_MS = 2_000;
/** With so many failures while the server answers, it has another version of the app than this page. */
const MOST_FAILURES = 2;

/** Whether the page has shown a screen. */
let screenShown = false;

const loads: (() => Promise<unknown>)[] = [];

/**
 * A component whose code is loaded when it is first shown; as long as the server is away, it is tried again. Until then
 * `fallback` is shown. If it fails, the rest of the page stays as it is. `load` loads it before.
 *
 * React's `lazy` shows its fallback for 300 ms at least, also where the code has arrived.
 */
export function lazyComponent<P extends object>(load: Load<P>, fallback?: (props: P) => ReactNode) {
  const code: Code<P> = {
    loaded: null,
    async load() {
      code.loaded ??= (await load()).default;
      return code.loaded;
    },
  };
  loads.push(code.load);
  const part = (props: P) => (
    <ErrorBoundary>
      <Part code={code} fallback={fallback} props={props} />
    </ErrorBoundary>
  );
  return Object.assign(part, { load: code.load });
}

interface Code<P> {
  /** Null until it is. */
  loaded: ComponentType<P> | null;
  load: () => Promise<ComponentType<P>>;
}

interface PartProps<P> {
  code: Code<P>;
  fallback: ((props: P) => ReactNode) | undefined;
  props: P;
}

function Part<P extends object>({ code, fallback, props }: PartProps<P>) {
  const [{ Loaded, error }, setState] = useState<{ Loaded: ComponentType<P> | null; error?: unknown }>({
    // The first screen of a page, for which something stands in, is rendered in pieces that do not block the page.
    Loaded: fallback === undefined || screenShown ? code.loaded : null,
  });
  useEffect(() => {
    if (Loaded !== null) return;
    untilLoaded(code.load).then(
      (Loaded) => {
        screenShown ||= fallback !== undefined;
        startTransition(() => setState({ Loaded }));
      },
      (error: unknown) => setState({ Loaded: null, error }),
    );
  }, [code, fallback, Loaded]);
  if (error !== undefined) throw error;
  return Loaded === null ? fallback?.(props) : <Loaded {...props} />;
}

/** Loads all of them in advance, so that they are there while the server is away, and marks in the browser's timeline when they are. */
export async function loadComponents(): Promise<void> {
  // One may have others in it, which are added meanwhile.
  for (const load of loads) await load().catch(() => undefined);
  performance.mark('parts loaded');
}

async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (await serverAnswers()) failures += 1;
      if (failures >= MOST_FAILURES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function serverAnswers(): Promise<boolean> {
  return fetch('/theme.js', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** If rendering fails, shows `fallback`, or offers a reload. Drafts are in storage and are not lost. */
export class ErrorBoundary extends Component<
  { page?: boolean; fallback?: ReactNode; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { page = false, fallback, children } = this.props;
    if (!this.state.failed) return children;
    if (fallback !== undefined) return fallback;
    const t = translator(language.get());
    const notice = (
      <Notice
        heading={page ? 'h1' : 'h2'}
        icon={TriangleAlert}
        title={t(page ? 'error.title' : 'error.part')}
        text={t('error.text')}
      >
        <Button onClick={() => location.reload()}>{t('error.reload')}</Button>
      </Notice>
    );
    return page ? <main className="grid h-dvh">{notice}</main> : notice;
  }
}
