import { useT } from '@/i18n';

interface ChangeWordsProps {
  /** Whether they are named as what is done, such as "upheld", or as what is chosen. */
  label: 'change' | 'decide';
  changes: readonly string[];
}

/** What becomes of an issue by each of some changes: `upheld: it must be fixed · deferred: right, but not now`. */
export function ChangeWords({ label, changes }: ChangeWordsProps) {
  const t = useT();
  const words = [...new Set(changes)].flatMap((change) => {
    const means = t.find(`decide.${change}.does`);
    return means === undefined ? [] : `${t.label(label, change)}: ${means}`;
  });
  if (words.length === 0) return null;
  return (
    <p data-change-words className="text-xs text-muted-foreground">
      {words.join(' · ')}
    </p>
  );
}
