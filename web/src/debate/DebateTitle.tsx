import { useEffect, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';

/** In characters: on a phone it has smaller letters, so that the header is low. */
const LONG_TITLE = 44;

/** The title of a debate: two lines of it, and all of it once it is pressed. */
export function DebateTitle({ title }: { title: string }) {
  const t = useT();
  const heading = useRef<HTMLHeadingElement>(null);
  const [whole, setWhole] = useState(false);
  // Whether something of it is cut depends on the width.
  const [cut, setCut] = useState(false);
  useEffect(() => {
    const element = heading.current;
    if (element === null || whole) return;
    const observer = new ResizeObserver(() => {
      const text = element.querySelector('[data-title]');
      setCut(text !== null && text.scrollHeight > text.clientHeight + 1);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [whole]);
  const text = (
    <span
      data-title
      title={title}
      className={cn('[unicode-bidi:isolate] wrap-anywhere', whole ? 'block' : 'line-clamp-2')}
    >
      <InlineText text={title} />
    </span>
  );
  return (
    <h1
      ref={heading}
      dir="auto"
      className={cn(
        'text-[17px] leading-snug font-semibold tracking-tight self-center max-[23rem]:col-span-2',
        title.length > LONG_TITLE
          ? 'max-sm:text-[13px] max-sm:leading-4'
          : 'max-sm:text-[15px] max-sm:leading-[18px]',
      )}
    >
      {cut || whole ? (
        <button
          type="button"
          aria-expanded={whole}
          aria-description={t(whole ? 'title.less' : 'title.more')}
          className="block w-full rounded text-start"
          onClick={() => setWhole(!whole)}
        >
          {text}
        </button>
      ) : (
        text
      )}
    </h1>
  );
}
