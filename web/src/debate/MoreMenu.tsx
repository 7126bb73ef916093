import { Ellipsis, Hash, Milestone, ScrollText, SquareTerminal } from 'lucide-react';
import { type Debate, SIDES, type Side } from '@/api/types';
import { useT } from '@/i18n';
import { agentCommand } from '@/lib/agentCommands';
import { navigate, recordPath } from '@/lib/router';
import { useSeats } from '@/seats/useSeats';
import { IconButton } from '@/ui/button';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu';
import { useCopy } from '@/ui/useCopy';

interface MoreMenuProps {
  debate: Debate;
  programs: Readonly<Record<Side, string | null>>;
  /** Whether nobody may write any more. */
  over: boolean;
  onMotion: () => void;
  onSeats: (debate: Debate) => void;
}

/** What else can be done with a debate. */
export default function MoreMenu({ debate, programs, over, onMotion, onSeats }: MoreMenuProps) {
  const t = useT();
  const copy = useCopy();
  const seats = useSeats(debate, over, onSeats, programs);
  const { id } = debate;
  const texts = [
    [Hash, 'copy.id', id],
    ...SIDES.map(
      (side) => [SquareTerminal, `copy.${side}`, agentCommand(side, id, location.origin)] as const,
    ),
  ] as const;
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={t('more.menu')} />}>
        <MenuItem onSelect={onMotion}>
          <Milestone aria-hidden />
          {t('jump.motion')}
        </MenuItem>
        {/* A closed debate has a button for it. */}
        {!over && (
          <MenuItem onSelect={() => navigate(recordPath(id))}>
            <ScrollText aria-hidden />
            {t('record.open')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuLabel>{t('copy.menu')}</MenuLabel>
        {texts.map(([Icon, label, text]) => (
          <MenuItem key={label} onSelect={() => void copy(text)}>
            <Icon aria-hidden />
            {t(label)}
          </MenuItem>
        ))}
        {seats.items}
      </Menu>
      {seats.confirm}
    </>
  );
}
