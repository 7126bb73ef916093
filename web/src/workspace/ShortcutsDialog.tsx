import { useT } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { Dialog } from '@/ui/dialog';

type Shortcut = readonly [keys: string, meaning: MessageKey];

const GROUPS: readonly (readonly [MessageKey, readonly Shortcut[]])[] = [
  [
    'shortcuts.pages',
    [
      ['/', 'shortcuts.search'],
      ['j k', 'shortcuts.neighbour'],
      ['n', 'shortcuts.needed'],
      ['u', 'shortcuts.inbox'],
      ['j k', 'shortcuts.card'],
      ['o', 'shortcuts.card.open'],
      ['a', 'start.title'],
      ['d', 'shortcuts.documents'],
      ['t', 'shortcuts.theme'],
      ['?', 'shortcuts.help'],
    ],
  ],
  [
    'shortcuts.debate',
    [
      ['r', 'shortcuts.rule'],
      ['1 … 9', 'shortcuts.option'],
      ['Ctrl Enter', 'shortcuts.send'],
      ['z', 'shortcuts.undo'],
      ['Esc', 'shortcuts.leave'],
      ['m', 'shortcuts.motion'],
      ['e', 'shortcuts.newest'],
      ['c', 'shortcuts.copy'],
      ['p', 'shortcuts.plan'],
      ['i', 'shortcuts.issues'],
    ],
  ],
  [
    'shortcuts.panels',
    [
      ['j k', 'shortcuts.issue'],
      ['Enter', 'shortcuts.issue.jump'],
      ['h', 'shortcuts.issue.history'],
      ['j k', 'shortcuts.plan.lines'],
      ['c', 'shortcuts.plan.comment'],
      ['i', 'shortcuts.plan.raise'],
      ['d', 'shortcuts.plan.changes'],
      ['p n', 'shortcuts.version'],
      ['v', 'shortcuts.raw'],
      ['h', 'shortcuts.versions'],
      ['d', 'shortcuts.changes'],
    ],
  ],
];

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog onClose={onClose} title={t('settings.shortcuts')} description={t('shortcuts.text')}>
      {GROUPS.map(([title, shortcuts]) => (
        <section key={title} aria-labelledby={title}>
          <h3 id={title} className="mt-4 mb-1 text-sm font-semibold">
            {t(title)}
          </h3>
          <dl className="divide-y divide-border text-sm">
            {shortcuts.map(([keys, meaning]) => (
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
        </section>
      ))}
    </Dialog>
  );
}
