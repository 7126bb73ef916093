import { ArrowLeft, Milestone } from 'lucide-react';
import { useT } from '@/i18n';
import { ConnectionBadge } from '@/shell/ConnectionBadge';
import { Link } from '@/shell/Link';
import { Button } from '@/ui/button';
import { CopyMenu } from './CopyMenu';
import { PresencePills } from './PresencePills';
import { StateBadge } from './StateBadge';
import type { Snapshot } from './session';
import type { View } from './view';

interface HeaderProps {
  view: View;
  connection: Snapshot['connection'];
  onMotion: () => void;
}

export function Header({ view, connection, onMotion }: HeaderProps) {
  const t = useT();
  const { debate } = view;
  return (
    <header className="border-b bg-page/90 px-3 py-2.5 sm:px-6">
      <div className="flex items-start gap-2">
        <Link
          href="/"
          aria-label={t('list.back')}
          className="grid size-9 shrink-0 place-items-center rounded-lg text-muted hover:bg-hover md:hidden"
        >
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1
            dir="auto"
            title={debate.title}
            className="line-clamp-2 text-[17px] leading-snug font-semibold tracking-tight [unicode-bidi:isolate] wrap-anywhere sm:line-clamp-1"
          >
            {debate.title}
          </h1>
          <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5">
            <StateBadge state={debate.state} />
            <span className="text-xs text-muted max-sm:hidden">{t.word('type', debate.debate_type)}</span>
            <PresencePills debate={debate} waiting={view.waiting} />
          </div>
        </div>
        <div className="flex items-center gap-0.5">
          <ConnectionBadge connection={connection} />
          <Button
            variant="ghost"
            size="icon"
            className="max-sm:hidden"
            aria-label={t('jump.motion')}
            title={t('jump.motion')}
            onClick={onMotion}
          >
            <Milestone aria-hidden />
          </Button>
          <CopyMenu debateId={debate.id} />
        </div>
      </div>
    </header>
  );
}
