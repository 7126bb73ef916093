import { Head, Html, Main, NextScript } from 'next/document';

export default function Document() {
  return (
    // `theme.js` sets class and language before the app is rendered.
    <Html lang="en" className="h-full overflow-hidden">
      <Head>
        <meta name="description" content="Follow debates between agents live, step in and rule." />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf8" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#161412" />
        <link rel="icon" href="/icon.svg" sizes="any" type="image/svg+xml" />
        <link rel="icon" href="/icon-192.png" sizes="192x192" type="image/png" />
        <link rel="apple-touch-icon" href="/icon-192.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {/* Blocking, because it must run before the first paint. */}
        <script src="/theme.js" />
      </Head>
      <body className="h-full overflow-hidden bg-background font-sans text-[15px] text-foreground [-webkit-font-smoothing:antialiased] [font-feature-settings:'cv05','cv11','ss03'] [text-rendering:optimizeLegibility]">
        <Main />
        <NextScript />
      </body>
    </Html>
  );
}
