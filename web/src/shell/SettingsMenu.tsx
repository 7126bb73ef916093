import { Bell, Keyboard, LogOut, Settings2, Volume2 } from 'lucide-react';
import { token } from '@/api/token';
import { useT } from '@/i18n';
import { chime } from '@/notify/chime';
import { allowNotifications, notificationsBlocked } from '@/notify/notify';
import { IconButton } from '@/ui/iconButton';
import { Menu, MenuChoice, MenuItem, MenuLine, MenuSwitch } from '@/ui/menu';
import { toast } from '@/ui/toast';
import { signOut } from './access';
import { language, notifications, sound, theme } from './prefs';
import { useStore } from './store';

export default function SettingsMenu({ onHelp }: { onHelp: () => void }) {
  const t = useT();
  const signedIn = useStore(token) !== null;
  const notify = useStore(notifications);
  const noise = useStore(sound);

  async function switchNotifications(on: boolean) {
    if (!on) notifications.set('off');
    else if (await allowNotifications()) notifications.set('on');
    else toast(t('settings.denied'), 'bad');
  }

  function switchSound(on: boolean) {
    sound.set(on ? 'on' : 'off');
    if (on) chime();
  }

  return (
    <Menu trigger={<IconButton icon={Settings2} label={t('settings.label')} />}>
      <MenuChoice
        label={t('settings.theme')}
        value={useStore(theme)}
        onChange={(value) => theme.set(value)}
        choices={[
          { value: 'system', label: t('settings.theme.system') },
          { value: 'light', label: t('settings.theme.light') },
          { value: 'dark', label: t('settings.theme.dark') },
        ]}
      />
      <MenuLine />
      <MenuChoice
        label={t('settings.language')}
        value={useStore(language)}
        onChange={(value) => language.set(value)}
        choices={[
          { value: 'en', label: 'English' },
          { value: 'vi', label: 'Tiếng Việt' },
        ]}
      />
      <MenuLine />
      <MenuSwitch
        checked={notify === 'on' && !notificationsBlocked()}
        onChange={(on) => void switchNotifications(on)}
      >
        <Bell aria-hidden />
        {t('settings.notify')}
      </MenuSwitch>
      <MenuSwitch checked={noise === 'on'} onChange={switchSound}>
        <Volume2 aria-hidden />
        {t('settings.sound')}
      </MenuSwitch>
      <MenuLine />
      <MenuItem onSelect={onHelp}>
        <Keyboard aria-hidden />
        {t('settings.shortcuts')}
      </MenuItem>
      {signedIn && (
        <MenuItem onSelect={signOut}>
          <LogOut aria-hidden />
          {t('token.signout')}
        </MenuItem>
      )}
    </Menu>
  );
}
