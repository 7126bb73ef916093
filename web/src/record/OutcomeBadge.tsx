import { CircleCheckBig, Gavel, PencilLine } from 'lucide-react';
import { useT } from '@/i18n';
import { Badge } from '@/ui/badge';

export function OutcomeBadge({ outcome }: { outcome: string }) {
  const t = useT();
  const Icon = outcome === 'agreed' ? CircleCheckBig : outcome === 'ruled' ? Gavel : PencilLine;
  return (
    <Badge tone={outcome === 'agreed' ? 'success' : outcome === 'ruled' ? 'arbitrator' : 'quiet'}>
      <Icon aria-hidden />
      {t.label('outcome', outcome)}
    </Badge>
  );
}
