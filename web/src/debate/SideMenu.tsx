import { SquareTerminal } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Debate, Side } from '@/api/types';
import { useT } from '@/i18n';
import { agentCommand } from '@/lib/agentCommands';
import { useSeats } from '@/seats/useSeats';
import { Menu, MenuItem, MenuLabel } from '@/ui/menu';
import { useCopy } from '@/ui/useCopy';

interface SideMenuProps {
  debate: Debate;
  side: Side;
  silent: boolean;
  programs: Readonly<Record<Side, string | null>>;
  trigger: ReactElement;
  onSeats: (debate: Debate) => void;
}

/** What may be done about a side: start its agent, or free its seat for another one. */
export default function SideMenu({ debate, side, silent, programs, trigger, onSeats }: SideMenuProps) {
  const t = useT();
  const copy = useCopy();
  const seats = useSeats(debate, false, onSeats, programs, [side]);
  return (
    <>
      <Menu trigger={trigger}>
        {silent ? (
          <>
            <MenuLabel>{t('presence.silent.title', { role: t.label('role', side) })}</MenuLabel>
            <p className="max-w-72 px-2.5 pb-1 text-xs text-muted-foreground">{t('presence.silent.help')}</p>
          </>
        ) : (
          <MenuLabel>{t.label('role', side)}</MenuLabel>
        )}
        <MenuItem onSelect={() => void copy(agentCommand(side, debate.id, location.origin))}>
          <SquareTerminal aria-hidden />
          {t(`copy.${side}`)}
        </MenuItem>
        {seats.items}
      </Menu>
      {seats.confirm}
    </>
  );
}
