import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './globals.css';
import type { AppProps } from 'next/app';
import Head from 'next/head';

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
