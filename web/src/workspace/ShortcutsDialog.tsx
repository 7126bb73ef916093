import { useT } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { Dialog } from '@/ui/dialog';

const SHORTCUTS: readonly (readonly [string, MessageKey])[] = [
  ['/', 'shortcuts.search'],
  ['j k', 'shortcuts.neighbour'],
  ['n', 'shortcuts.needed'],
  ['u', 'shortcuts.inbox'],
  ['a', 'start.title'],
  ['j k', 'shortcuts.card'],
  ['o', 'shortcuts.card.open'],
  ['1 … 9', 'shortcuts.option'],
  ['m', 'shortcuts.motion'],
  ['e', 'shortcuts.newest'],
  ['r', 'shortcuts.rule'],
  ['c', 'shortcuts.copy'],
  ['d', 'shortcuts.documents'],
  ['p', 'shortcuts.plan'],
  ['i', 'shortcuts.issues'],
  ['t', 'shortcuts.theme'],
  ['?', 'shortcuts.help'],
  ['p n', 'shortcuts.version'],
  ['v', 'shortcuts.raw'],
  ['h', 'shortcuts.versions'],
  ['d', 'shortcuts.changes'],
  ['j k', 'shortcuts.issue'],
  ['Enter', 'shortcuts.issue.jump'],
  ['h', 'shortcuts.issue.history'],
  ['j k', 'shortcuts.plan.lines'],
  ['c', 'shortcuts.plan.comment'],
  ['i', 'shortcuts.plan.raise'],
  ['d', 'shortcuts.plan.changes'],
  ['Ctrl Enter', 'shortcuts.send'],
  ['z', 'shortcuts.undo'],
  ['Esc', 'shortcuts.leave'],
];

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog onClose={onClose} title={t('settings.shortcuts')} description={t('shortcuts.text')}>
      <dl className="mt-4 divide-y divide-border text-sm">
        {SHORTCUTS.map(([keys, meaning]) => (
          <div key={meaning} className="flex items-center justify-between gap-6 py-2">
            <dt>{t(meaning)}</dt>
            <dd className="flex gap-1">
              {keys.split(' ').map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-md border bg-background px-1.5 py-0.5 text-center font-mono text-xs text-muted-foreground"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
