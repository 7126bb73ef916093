import { Copy, Hash, Link2, ScrollText, SquareTerminal } from 'lucide-react';
import { useT } from '@/i18n';
import { agentCommand, type Command } from '@/lib/agentCommands';
import { RECORD_SEARCH } from '@/lib/recordRoute';
import { debatePath, navigate } from '@/lib/router';
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu';
import { useCopy } from '@/ui/useCopy';

const COMMANDS: readonly Command[] = ['context', 'proposer', 'opponent'];

export function CopyMenu({ debateId }: { debateId: string }) {
  const t = useT();
  const copy = useCopy();

  return (
    <Menu icon={Copy} label={t('copy.menu')}>
      <MenuItem onSelect={() => void copy(debateId)}>
        <Hash aria-hidden />
        {t('copy.id')}
      </MenuItem>
      <MenuItem onSelect={() => void copy(location.origin + debatePath(debateId))}>
        <Link2 aria-hidden />
        {t('copy.link')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => navigate(`${debatePath(debateId)}${RECORD_SEARCH}`)}>
        <ScrollText aria-hidden />
        {t('record.open')}
      </MenuItem>
      <MenuSeparator />
      {COMMANDS.map((command) => (
        <MenuItem key={command} onSelect={() => void copy(agentCommand(command, debateId, location.origin))}>
          <SquareTerminal aria-hidden />
          {t(`copy.${command}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
