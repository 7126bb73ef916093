import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './globals.css';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';

export const metadata: Metadata = {
  title: 'aweave debate',
  description: 'Follow debates between agents live, step in and rule.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  interactiveWidget: 'resizes-content',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#161412' },
  ],
};

export default function Layout({ children }: { children: ReactNode }) {
  return (
    // `theme.js` has already set class and language, so they differ from the exported HTML.
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* `scripts/early-requests.mjs` writes the script into the exported page. */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '/* early requests */' }} />
        {/* Blocking, because it must run before the first paint. */}
        <script src="/theme.js" />
      </head>
      <body>{children}</body>
    </html>
  );
}
