import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useT } from '@/i18n';
import { theme } from '@/lib/preferences';
import { useStore } from '@/lib/store';
import { Button } from '@/ui/button';

/** Longer ones take the library too long. */
const MAX_TEXT = 20_000;

interface DiagramProps {
  /** The text of a `mermaid` block. */
  text: string;
  lines: string | undefined;
  /** The block as code: shown until it is drawn, if it cannot be, and when asked for. */
  children: ReactNode;
}

/** A diagram that mermaid draws, which is loaded with the first one. It is shown as an image, in which nothing can run. */
export function Diagram({ text, lines, children }: DiagramProps) {
  const t = useT();
  const chosenTheme = useStore(theme);
  const [asCode, setAsCode] = useState(false);
  const { data: drawn, isError } = useQuery({
    // It is drawn in the colours of the theme.
    queryKey: ['diagram', text, chosenTheme],
    queryFn: () => draw(text),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <figure className="my-[0.9em]">
      {drawn !== undefined && !asCode ? (
        // biome-ignore lint/performance/noImgElement: there is nothing to optimize in a picture that is part of the page
        <img
          alt={t('diagram.label')}
          className="mx-auto"
          src={`data:image/svg+xml,${encodeURIComponent(drawn)}`}
          data-lines={lines}
        />
      ) : (
        children
      )}
      <figcaption className="text-end text-xs text-muted-foreground">
        {isError && t('diagram.failed')}
        {drawn !== undefined && (
          <Button variant="link" size="bare" className="rounded! text-xs" onClick={() => setAsCode(!asCode)}>
            {t(asCode ? 'diagram.draw' : 'diagram.code')}
          </Button>
        )}
      </figcaption>
    </figure>
  );
}

let newest = 0;
let before: Promise<unknown> = Promise.resolve();

/** The library draws one diagram after the other, with settings that hold for all. */
function draw(text: string): Promise<string> {
  if (text.length > MAX_TEXT) return Promise.reject(new Error('too long'));
  const drawing = before.then(async () => {
    const { default: mermaid } = await import('mermaid');
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      // Labels in HTML are not shown in an image.
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      fontFamily: 'sans-serif',
      theme: document.documentElement.classList.contains('dark') ? 'dark' : 'neutral',
    });
    newest += 1;
    // Otherwise it would leave out what looks like HTML.
    const shown = text.replace(/<(?!br\s*\/?>)(?=[a-z/!])/gi, '#lt;');
    const { svg } = await mermaid.render(`diagram-${newest}`, shown);
    // An image has the size of its picture.
    const [, width, height] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? [];
    return svg.replace(/<svg([^>]*) width="100%"/, `<svg$1 width="${width}" height="${height}"`);
  });
  before = drawing.catch(() => undefined);
  return drawing;
}
