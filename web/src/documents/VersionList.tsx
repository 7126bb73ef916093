import { GitCompare } from 'lucide-react';
import { useT } from '@/i18n';
import { type DocumentRoute, documentRoute, replaceDocuments, toSearch } from '@/lib/documentRoute';
import { IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';
import { FaultsLine } from '@/ui/FaultsLine';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { Time } from '@/ui/Time';
import { MoreButton } from './MoreButton';
import type { Versions } from './queries';

interface VersionListProps {
  route: DocumentRoute;
  shown: number;
  versions: Versions;
}

/** Newest first. Each version can be opened, or compared with the one before it. */
export function VersionList({ route, shown, versions }: VersionListProps) {
  const t = useT();
  return (
    <div className="mx-auto w-full max-w-[50rem] px-2 py-3 sm:px-6">
      <ol className="grid gap-0.5">
        {versions.items.map(({ version, summary, created_at }) => (
          <li key={version} className="flex items-center gap-1">
            <Link
              href={toSearch(documentRoute(route.id, version))}
              onNavigate={() => replaceDocuments(documentRoute(route.id, version))}
              aria-current={version === shown ? 'true' : undefined}
              data-version={version}
              className={cn(
                'flex min-w-0 flex-1 items-baseline gap-3 rounded-xl px-3 py-2.5 focus-visible:outline-offset-[-2px]',
                version === shown ? 'bg-card shadow-subtle ring-1 ring-border' : 'hover:bg-accent',
              )}
            >
              <span className="w-10 shrink-0 font-mono text-[13px] text-muted-foreground tabular-nums">
                v{version}
              </span>
              <span
                dir="auto"
                className="line-clamp-2 min-w-0 flex-1 text-sm font-medium [unicode-bidi:isolate] wrap-anywhere"
              >
                <InlineText text={summary.trim() || t('documents.untitled')} />
              </span>
              <Time at={created_at} className="shrink-0 text-xs text-muted-foreground" />
            </Link>
            <IconButton
              icon={GitCompare}
              disabled={version === 1}
              label={t('documents.compare.previous', { n: version, previous: version - 1 })}
              onClick={() => replaceDocuments({ ...route, version, view: 'changes', from: version - 1 })}
            />
          </li>
        ))}
      </ol>
      <FaultsLine count={versions.faults} />
      <MoreButton query={versions} />
    </div>
  );
}
