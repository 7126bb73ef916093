import { useT } from '@/i18n';

interface ChangeLegendProps {
  /** Whether they are named as what is done, such as "upheld", or as what is chosen. */
  label: 'change' | 'decide';
  changes: readonly string[];
}

/** What becomes of an issue by each of some changes: `upheld: it must be fixed · deferred: right, but it can wait`. */
export function ChangeLegend({ label, changes }: ChangeLegendProps) {
  const t = useT();
  const meanings = [...new Set(changes)].flatMap((change) => {
    const means = t.find(`decide.${change}.does`);
    return means === undefined ? [] : `${t.label(label, change)}: ${means}`;
  });
  if (meanings.length === 0) return null;
  return (
    <p data-change-legend className="text-xs text-muted-foreground">
      {meanings.join(' · ')}
    </p>
  );
}
