import { useT } from '@/i18n';
import { Badge, type Tone } from '@/ui/badge';
import { cn } from '@/ui/cn';

const TONES: Record<string, Tone> = { critical: 'destructive', high: 'destructive', medium: 'opponent' };

export function SeverityBadge({ severity }: { severity: string }) {
  const t = useT();
  return (
    <Badge
      tone={TONES[severity] ?? 'quiet'}
      className={cn(severity === 'critical' && 'bg-destructive-strong! text-primary-foreground!')}
    >
      {t.label('severity', severity)}
    </Badge>
  );
}
