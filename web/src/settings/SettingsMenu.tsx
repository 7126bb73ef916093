import { Bell, Keyboard, LogOut, Settings2 } from 'lucide-react';
import { token } from '@/api/client';
import { signOut } from '@/auth/access';
import { useT } from '@/i18n';
import { language, notifications, theme } from '@/lib/preferences';
import { useStore } from '@/lib/store';
import { notificationsBlocked, switchOnNotifications } from '@/notifications/notifications';
import { IconButton } from '@/ui/button';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuSwitch } from '@/ui/menu';
import { toast } from '@/ui/toast';

const THEMES = ['system', 'light', 'dark'] as const;

export default function SettingsMenu({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const t = useT();
  const signedIn = useStore(token) !== null;
  const notify = useStore(notifications);

  async function switchNotifications(on: boolean) {
    if (!on) notifications.set('off');
    else if (!(await switchOnNotifications())) toast(t('settings.denied'), 'bad');
  }

  return (
    <Menu trigger={<IconButton icon={Settings2} label={t('settings.label')} />}>
      <MenuChoice
        label={t('settings.theme')}
        value={useStore(theme)}
        onChange={(value) => theme.set(value)}
        choices={THEMES.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
      />
      <MenuSeparator />
      <MenuChoice
        label={t('settings.language')}
        value={useStore(language)}
        onChange={(value) => language.set(value)}
        choices={[
          { value: 'en', label: 'English' },
          { value: 'vi', label: 'Tiếng Việt' },
        ]}
      />
      <MenuSeparator />
      <MenuSwitch
        checked={notify === 'on' && !notificationsBlocked()}
        onChange={(on) => void switchNotifications(on)}
      >
        <Bell aria-hidden />
        {t('settings.notify')}
      </MenuSwitch>
      <MenuSeparator />
      <MenuItem onSelect={onShowShortcuts}>
        <Keyboard aria-hidden />
        {t('settings.shortcuts')}
      </MenuItem>
      {signedIn && (
        <MenuItem onSelect={signOut}>
          <LogOut aria-hidden />
          {t('signIn.signOut')}
        </MenuItem>
      )}
    </Menu>
  );
}
