import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './globals.css';
import type { AppProps } from 'next/app';
import Head from 'next/head';
import Router from 'next/router';

// The addresses of the app are those of `lib/router.ts`. Next.js's router knows a single page: it writes nothing into the
// history, where it would replace what `lib/router.ts` keeps there, and it follows no navigation.
Router.ready(() => {
  const { router } = Router;
  if (router === null) return;
  window.removeEventListener('popstate', router.onPopState);
  router.changeState = () => undefined;
  // Called once if the address has a query, to render the page again with it.
  router.replace = async () => true;
});

export default function NextApp({ Component }: AppProps) {
  return (
    <>
      <Head>
        <title>aweave debate</title>
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
      </Head>
      <Component />
    </>
  );
}
