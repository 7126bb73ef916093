import { Copy, Hash, Link2, SquareTerminal } from 'lucide-react';
import { useT } from '@/i18n';
import { debatePath } from '@/shell/router';
import { useShortcuts } from '@/shell/shortcuts';
import { Button } from '@/ui/button';
import { Menu, MenuItem, MenuLine } from '@/ui/menu';
import { agentCommand, type Command } from './commands';
import { useCopy } from './useCopy';

const COMMANDS: readonly Command[] = ['context', 'proposer', 'opponent'];

export function CopyMenu({ debateId }: { debateId: string }) {
  const t = useT();
  const copy = useCopy();
  useShortcuts({ c: () => void copy(debateId) });

  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={t('copy.menu')} title={t('copy.menu')}>
          <Copy aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => void copy(debateId)}>
        <Hash aria-hidden />
        {t('copy.id')}
      </MenuItem>
      <MenuItem onSelect={() => void copy(location.origin + debatePath(debateId))}>
        <Link2 aria-hidden />
        {t('copy.link')}
      </MenuItem>
      <MenuLine />
      {COMMANDS.map((command) => (
        <MenuItem key={command} onSelect={() => void copy(agentCommand(command, debateId, location.origin))}>
          <SquareTerminal aria-hidden />
          {t(`copy.${command}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
