import type { ListedDocument } from '@/api/types';
import { useT } from '@/i18n';
import { documentRoute, openDocuments, toSearch } from '@/lib/documentRoute';
import { byteLabel } from '@/ui/byteSize';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { Time } from '@/ui/Time';

/** A document in a list, which it leads to. */
export function DocumentRow({ document }: { document: ListedDocument }) {
  const t = useT();
  const { id, title, summary, latest_version, content_bytes, updated_at } = document;
  return (
    <li>
      <Link
        href={toSearch(documentRoute(id))}
        onNavigate={() => openDocuments(documentRoute(id))}
        data-document={id}
        className="block rounded-xl px-3 py-2.5 hover:bg-accent focus-visible:outline-offset-[-2px]"
      >
        <span
          dir="auto"
          className="line-clamp-2 text-sm leading-snug font-medium [unicode-bidi:isolate] wrap-anywhere"
        >
          <InlineText text={title.trim() || t('documents.untitled')} />
        </span>
        <span className="mt-1 flex items-center gap-2 text-xs text-muted-foreground tabular-nums">
          <code className="font-mono">{id.slice(0, 8)}</code>
          <span aria-hidden>·</span>
          <span>v{latest_version}</span>
          {content_bytes !== undefined && (
            <>
              <span aria-hidden>·</span>
              <span className="shrink-0">{byteLabel(content_bytes)}</span>
            </>
          )}
          {latest_version > 1 && (
            <>
              <span aria-hidden>·</span>
              <span dir="auto" className="min-w-0 truncate">
                <InlineText text={summary} />
              </span>
            </>
          )}
          <Time at={updated_at} className="ml-auto shrink-0" />
        </span>
      </Link>
    </li>
  );
}
